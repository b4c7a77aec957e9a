FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Optional are the embedded Postgres, which a container does not use, and faster builds of what is there in JavaScript.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DAYBOOK_DATA_DIR=/var/lib/daybook
WORKDIR /app
RUN install -d -o node -g node -m 700 /var/lib/daybook && ln -s /app/bin/daybook /usr/local/bin/daybook
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY rates rates
COPY projections projections
COPY src src
USER node
EXPOSE 8080
CMD ["node", "--max-semi-space-size=12", "src/main.js"]

/** Told what a notification says; nothing when the connection is a new one. What it reads because of that, a stop waits for. */
export type Wake = (payload: string | undefined) => void | Promise<void>;

/** Who is woken by what is heard on a channel, and still reads because of that. */
export type Wakes = {
  /** Those on which there is somebody; one that is added while they are gone through is among them. */
  channels(): Iterable<string>;
  add(channel: string, wake: Wake): void;
  /** Returns whether that has left nobody on the channel. */
  remove(channel: string, wake: Wake): boolean;
  wakeAll(channel: string, payload?: string): void;
  /** Wakes nobody any more. */
  end(): void;
  /** Resolves once those who were woken so far have read what they read. */
  untilRead(): Promise<unknown>;
};

export function createWakes(): Wakes {
  const channels = new Map<string, Set<Wake>>();
  const readings = new Set<Promise<void>>();
  let isOver = false;

  return {
    channels: () => channels.keys(),
    add(channel, wake) {
      const others = channels.get(channel);
      channels.set(channel, new Set([...(others ?? []), wake]));
    },
    remove(channel, wake) {
      const left = channels.get(channel);
      left?.delete(wake);
      if (left?.size !== 0) return false;
      channels.delete(channel);
      return true;
    },
    wakeAll(channel, payload) {
      if (isOver) return;
      for (const wake of channels.get(channel) ?? []) {
        const reading = wake(payload);
        if (!reading) continue;
        readings.add(reading);
        const over = () => readings.delete(reading);
        reading.then(over, over);
      }
    },
    end() {
      isOver = true;
    },
    untilRead: () => Promise.allSettled(readings),
  };
}

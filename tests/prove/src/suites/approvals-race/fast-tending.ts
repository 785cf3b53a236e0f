/** Preloaded into a gateway, which then looks for requests whose time is over many times a second. */
const every = globalThis.setInterval
const sweepEveryMs = 15_000
const quicklyMs = 150

globalThis.setInterval = ((action: () => void, ms?: number) =>
  every(action, ms === sweepEveryMs ? quicklyMs : ms)) as typeof setInterval

/** Owns how much a program of the JavaScript machine may take. */

export interface ScriptLimits {
  /** From its beginning to its end, whatever it waits for. */
  readonly wallMs: number
  /** What it may compute. */
  readonly cpuMs: number
  readonly memoryBytes: number
  readonly stackBytes: number
  readonly outputChars: number
  readonly logLines: number
  readonly lineChars: number
  /** How many tools it may call in all, and how many at once. */
  readonly calls: number
  readonly callsAtOnce: number
}

export const scriptLimits: ScriptLimits = {
  wallMs: 30_000,
  cpuMs: 5_000,
  memoryBytes: 50_000_000,
  stackBytes: 256 * 1024,
  outputChars: 200_000,
  logLines: 100,
  lineChars: 2_000,
  calls: 20,
  callsAtOnce: 10,
}

export function tooLong({ cpuMs }: ScriptLimits): string {
  return `It computed for more than ${cpuMs / 1000} s.`
}

export function tooMuch({ memoryBytes }: ScriptLimits): string {
  return `It took more than ${memoryBytes / 1_000_000} MB of memory.`
}

/** Owns reading `config.json`. Refuses what is not a JSON object. */
import { existsSync, readFileSync } from 'node:fs'
import { CountersignError } from '../errors.ts'

export type Settings = Readonly<Record<string, unknown>>

/** Empty where there is no file: then every setting has its default. */
export function readSettings(path: string): Settings {
  if (!existsSync(path)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isSettings(value)) return value
  } catch (cause) {
    throw unreadable(path, cause)
  }
  throw unreadable(path)
}

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unreadable(path: string, cause?: unknown): CountersignError {
  return new CountersignError('config_invalid', `${path} is not a JSON object.`, {
    cause,
    next: `Correct ${path}, or move it away; then every setting has its default.`,
  })
}

/** Owns how a part of the client asks: a shape for the answer, a method and a path. */
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Call = <T>(
  shape: z.ZodType<T>,
  method: Method,
  path: string,
  body?: unknown,
  /** For what takes longer than most answers. */
  timeoutMs?: number,
) => Promise<T>

export const part = (text: string): string => encodeURIComponent(text)

export function query(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

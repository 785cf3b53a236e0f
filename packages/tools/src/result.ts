/** Owns how a tool words its end. */
import { canonicalText, type JsonObject, type ToolResult } from '@countersign/contract'

export function succeeded(
  text: string,
  summary: string,
  undo?: { tool: string; args: JsonObject },
): ToolResult {
  return { ok: true, text, summary, undo: undo ? { tool: undo.tool, args: canonicalText(undo.args) } : null }
}

export function failed(reason: string): ToolResult {
  return { ok: false, text: reason, summary: reason, undo: null }
}

const decoder = new TextDecoder('utf-8')

/** Text for a model: broken sequences become replacement characters, never an error. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Owns how a tool words its end. */
import { canonicalText, type JsonObject, type ToolResult } from '@countersign/contract'

interface UndoCall {
  readonly tool: string
  readonly args: JsonObject
}

export function succeeded(text: string, summary: string, undo?: UndoCall): ToolResult {
  return { ok: true, text, summary, undo: undoOf(undo) }
}

/** With an undo where something was done before it failed. */
export function failed(reason: string, undo?: UndoCall): ToolResult {
  return { ok: false, text: reason, summary: reason, undo: undoOf(undo) }
}

/** Nobody knows whether it was done: the operator is asked, and nothing tries it again by itself. */
export function unsure(reason: string): ToolResult {
  return { ...failed(reason), unsure: true }
}

function undoOf(undo: UndoCall | undefined): ToolResult['undo'] {
  return undo ? { tool: undo.tool, args: canonicalText(undo.args) } : null
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

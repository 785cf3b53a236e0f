/** Owns what the tools of nodes have in common. */
import type { ToolResult } from '@countersign/contract'
import { perMinute } from '../definition.ts'
import { sizeOf, succeeded } from '../result.ts'
import { nodeOutput } from './device-effects.ts'
import type { NodePicture } from './node-capabilities.ts'

export const fileTool = {
  category: 'devices',
  group: 'devices',
  output: nodeOutput,
  capability: 'files',
} as const

export const desktopTool = {
  category: 'devices',
  group: 'devices',
  output: nodeOutput,
  rate: perMinute(10),
} as const

export const mostTextBytes = 1_000_000

/** How people speak of one. */
export const otherComputer = ['other computer', 'laptop', 'desktop', 'remote', 'node', 'machine'] as const

export function pictureResult({ path, size, sha256 }: NodePicture, summary: string): ToolResult {
  return succeeded(JSON.stringify({ path, bytes: size, sha256 }), `${summary} (${sizeOf(size)})`)
}

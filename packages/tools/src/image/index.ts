import type { ToolDefinition } from '../definition.ts'
import { resizeImage } from './resize-image.ts'

export const imageTools: readonly ToolDefinition[] = [resizeImage]

import type { ToolDefinition } from '../definition.ts'
import { browserClick } from './browser-click.ts'
import { browserEvaluate } from './browser-evaluate.ts'
import { browserExtractHtml } from './browser-extract-html.ts'
import { browserExtractText } from './browser-extract-text.ts'
import { browserFill } from './browser-fill.ts'
import { browserNavigate } from './browser-navigate.ts'
import { browserScreenshot } from './browser-screenshot.ts'

export const browserTools: readonly ToolDefinition[] = [
  browserNavigate,
  browserExtractText,
  browserExtractHtml,
  browserScreenshot,
  browserClick,
  browserFill,
  browserEvaluate,
]

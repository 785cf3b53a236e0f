import type { ToolDefinition } from '../definition.ts'
import { createPdf } from './create-pdf.ts'
import { pdfInfo } from './pdf-info.ts'
import { readPdf } from './read-pdf.ts'

export const pdfTools: readonly ToolDefinition[] = [readPdf, createPdf, pdfInfo]

import type { ToolDefinition } from '../definition.ts'
import { batchTranslate } from './batch-translate.ts'
import { detectLanguage } from './detect-language.ts'
import { extractEntities } from './extract-entities.ts'
import { extractStructuredData } from './extract-structured-data.ts'
import { extractTableData } from './extract-table-data.ts'
import { listLanguages } from './list-languages.ts'
import { summarizeText } from './summarize-text.ts'
import { translateText } from './translate-text.ts'

export const languageTools: readonly ToolDefinition[] = [
  translateText,
  batchTranslate,
  detectLanguage,
  listLanguages,
  extractStructuredData,
  extractEntities,
  extractTableData,
  summarizeText,
]

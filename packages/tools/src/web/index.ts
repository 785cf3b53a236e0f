import type { ToolDefinition } from '../definition.ts'
import { fetchWebPage } from './fetch-web-page.ts'
import { httpRequest } from './http-request.ts'
import { jsonApi } from './json-api.ts'
import { readWeb } from './read-web.ts'
import { searchWeb } from './search-web.ts'

export const webTools: readonly ToolDefinition[] = [httpRequest, fetchWebPage, searchWeb, jsonApi, readWeb]

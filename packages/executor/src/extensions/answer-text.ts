/** Owns how an answer of a server becomes text for a model: bounded, and with a note for what is no text. */
import type {
  CallToolResult,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client'
import { serverLimits } from './server-limits.ts'

export interface AnswerText {
  readonly text: string
  readonly truncated: boolean
}

export function toolAnswer({ content, structuredContent }: CallToolResult): AnswerText {
  const texts = content.map(blockText).filter((text) => text !== '')
  const isSaid = content.some(({ type }) => type === 'text')
  const data = structuredContent === undefined || isSaid ? [] : [JSON.stringify(structuredContent)]
  return bounded([...texts, ...data].join('\n\n') || '(The server gave no content.)')
}

export function resourceAnswer({ contents }: ReadResourceResult): AnswerText {
  return bounded(contents.map(resourceText).join('\n\n') || '(empty)')
}

export function resourceList({ resources }: ListResourcesResult): AnswerText {
  return bounded(
    resources
      .map(({ uri, name, description }) => `${uri}  ${[name, description].filter(Boolean).join(': ')}`)
      .join('\n') || 'It has no resources.',
  )
}

export function promptList({ prompts }: ListPromptsResult): AnswerText {
  return bounded(
    prompts
      .map(({ name, description, arguments: takes = [] }) => {
        const words = takes.map((each) => `${each.name}${each.required ? '' : '?'}`).join(', ')
        return `${name}(${words})${description === undefined ? '' : `: ${description}`}`
      })
      .join('\n') || 'It has no prompts.',
  )
}

export function promptAnswer({ messages }: GetPromptResult): AnswerText {
  return bounded(
    messages.map(({ role, content }) => `[${role}] ${blockText(content)}`).join('\n\n') || '(empty)',
  )
}

type Block = NonNullable<CallToolResult['content']>[number]

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type === 'image' ? 'a picture' : 'a recording'} that is not shown: ${block.mimeType}, ${sizeOf(block.data)}]`
    case 'resource_link':
      return `[a link: ${block.uri} ${block.name}]`
    case 'resource':
      return resourceText(block.resource)
    default:
      return '[content of a kind that is not known]'
  }
}

function resourceText(resource: ReadResourceResult['contents'][number]): string {
  return 'text' in resource
    ? `[${resource.uri}]\n${resource.text}`
    : `[${resource.uri}: not text, ${resource.mimeType ?? 'of an unknown kind'}, ${sizeOf(resource.blob)}]`
}

function sizeOf(base64: string): string {
  return `${Math.round((base64.length * 3) / 4)} bytes`
}

function bounded(text: string): AnswerText {
  const isLong = text.length > serverLimits.maxAnswer
  return { text: (isLong ? text.slice(0, serverLimits.maxAnswer) : text).toWellFormed(), truncated: isLong }
}

/** Owns how a request and a reply read as text, in pieces. An image is named and not shown. */
import type { ModelImage, ModelMessage, ModelReply, ModelRequest, RawCall } from '@countersign/agent'

export function requestPieces(request: ModelRequest): string[] {
  const { system, messages, tools, maxOutputTokens, temperature, toolChoice = 'auto' } = request
  const choice = typeof toolChoice === 'string' ? toolChoice : toolChoice.name
  return [
    `for ${request.purpose}, at most ${maxOutputTokens} tokens${temperature === undefined ? '' : `, temperature ${temperature}`}`,
    ...(tools.length > 0 ? [`tools (${choice}): ${tools.map(({ name }) => name).join(', ')}`] : []),
    ...(system === '' ? [] : [`system\n${system}`]),
    ...messages.map(messageText),
  ]
}

export function replyPieces(reply: ModelReply): string[] {
  return [
    ...(reply.text === '' ? [] : [reply.text]),
    ...reply.calls.map(callText),
    `ended: ${reply.finish}, by ${reply.model}`,
  ]
}

function messageText(message: ModelMessage): string {
  switch (message.role) {
    case 'user':
      return lines('user', message.text, ...(message.images ?? []).map(imageText))
    case 'assistant':
      return lines('assistant', message.text, ...message.calls.map(callText))
    case 'tool':
      return lines(
        'tool',
        ...message.results.map(
          ({ callId, name, text, isError }) => `${name} ${callId}${isError ? ' failed' : ''}: ${text}`,
        ),
      )
  }
}

function callText({ id, name, args, problem }: RawCall): string {
  return `call ${name} ${id}: ${args}${problem === undefined ? '' : ` (not taken: ${problem})`}`
}

function imageText({ mediaType, base64 }: ModelImage): string {
  return `[${mediaType}, ${Math.max(1, Math.round((base64.length * 3) / 4 / 1000))} kB]`
}

const lines = (...all: string[]): string => all.filter((line) => line !== '').join('\n')

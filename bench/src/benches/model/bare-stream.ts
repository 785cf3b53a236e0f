/** A reply by the package of the provider alone: the floor that a reply through the gateway is compared with. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type Ask, timeOfDay } from './stream.ts'

export function openBare(baseURL: string): Ask {
  const model = createOpenAICompatible({ name: 'bare', baseURL, includeUsage: true }).chatModel('scripted')
  return async (words) => {
    const beganAt = timeOfDay()
    const { stream } = await model.doStream({
      prompt: [
        { role: 'system', content: 'You are the assistant of one person, your operator.' },
        { role: 'user', content: [{ type: 'text', text: words }] },
      ],
      maxOutputTokens: 8_192,
    })
    let firstMs = Number.NaN
    let characters = 0
    for await (const part of stream) {
      if (part.type === 'error') throw new Error(String(part.error))
      if (part.type !== 'text-delta') continue
      if (characters === 0) firstMs = timeOfDay() - beganAt
      characters += part.delta.length
    }
    return { words, beganAt, firstMs, totalMs: timeOfDay() - beganAt, characters }
  }
}

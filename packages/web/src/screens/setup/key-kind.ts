/** Owns which provider a key is of, by how the provider begins its keys. Pure; undefined where it cannot be told. */
const beginnings: readonly (readonly [beginning: string, kind: string])[] = [
  ['sk-ant-', 'anthropic'],
  ['sk-or-', 'openrouter'],
  ['AIza', 'google'],
  ['gsk_', 'groq'],
  ['xai-', 'xai'],
  ['sk-', 'openai'],
]

export function kindOfKey(key: string): string | undefined {
  return beginnings.find(([beginning]) => key.trim().startsWith(beginning))?.[1]
}

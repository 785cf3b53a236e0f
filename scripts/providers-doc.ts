/**
 * Owns docs/providers.md, which is made by trying every provider against the scripted servers. Writes it, or with
 * --check fails if it is not what would be written.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type KindFacts, kinds } from '../packages/models/src/index.ts'
import { type ProviderCase, providerCases } from '../tests/conformance/src/provider-case.ts'
import { environmentKeys, rows, tryCell } from '../tests/conformance/src/rows.ts'
import type { Protocol } from '../tests/model-servers/src/index.ts'
import { repository } from './workspace.ts'

const file = 'docs/providers.md'

export interface TriedProvider {
  readonly provider: ProviderCase
  /** What each cell says, in the order of the rows. */
  readonly cells: readonly string[]
}

const PROTOCOLS: Readonly<Record<Protocol, string>> = {
  openai: 'Chat Completions',
  anthropic: 'Messages',
  responses: 'Responses, with nothing kept at OpenAI (`store: false`)',
  google: 'generateContent',
  mistral: 'Chat Completions of Mistral',
  groq: 'Chat Completions of Groq',
  deepseek: 'Chat Completions of DeepSeek',
  xai: 'Responses of xAI, with nothing kept there (`store: false`)',
  together: 'Chat Completions of Together',
  fireworks: 'Chat Completions of Fireworks',
  perplexity: 'Chat Completions of Perplexity',
  cohere: 'Chat, version 2',
  openrouter: 'Chat Completions of OpenRouter',
  ollama: 'Ollama’s own chat',
  bedrock: 'Converse, in binary frames',
  vertex: 'generateContent of Vertex AI',
}

/** Tries every cell. Throws at the first that does not hold, with its provider and its row. */
export async function tryProviders(
  cases: readonly ProviderCase[] = providerCases,
): Promise<readonly TriedProvider[]> {
  const tried: TriedProvider[] = []
  for (const provider of cases) {
    const cells: string[] = []
    for (const row of rows) {
      try {
        cells.push(await tryCell(provider, row))
      } catch (error) {
        throw new Error(`${provider.kind} does not hold the row ${row.name}.`, { cause: error })
      }
    }
    tried.push({ provider, cells })
  }
  return tried
}

export function providersDoc(tried: readonly TriedProvider[]): string {
  return `${[head(tried), list(tried), table(tried)].join('\n\n')}\n`
}

function head(tried: readonly TriedProvider[]): string {
  return `# Providers

This page is made by \`node scripts/providers-doc.ts\`, which tries every provider against a server on this machine that speaks its protocol. It tells what Countersign does, not how a provider fares today. Do not change it by hand.

Countersign speaks with ${tried.length} kinds of providers. A provider is added with its kind, and its key goes into the vault:

\`\`\`sh
countersign provider add anthropic
countersign provider add ollama
countersign provider add openai-compatible --name my-server --address http://127.0.0.1:8080/v1 --no-key
\`\`\`

A key that lies in the environment of the gateway is found and offered, by the variables below; it is never taken unasked. A redirect of a provider is never followed.`
}

function list(tried: readonly TriedProvider[]): string {
  const lines = tried.map(({ provider }) => {
    const facts = kinds[provider.kind]
    const cells = [
      facts.title,
      `\`countersign provider add ${provider.kind}\``,
      PROTOCOLS[provider.protocol],
      facts.baseUrl === null ? 'you name it' : `\`${facts.baseUrl}\``,
      keyOf(facts),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return `## The kinds

| Provider | Add it | Speaks | Address | Key, and the variables it is found in |
| --- | --- | --- | --- | --- |
${lines.join('\n')}

Local servers are looked for at ${inWords(localAddresses())}.`
}

function table(tried: readonly TriedProvider[]): string {
  const meanings = rows.map((row) => `- **${row.name}**: ${row.means}`)
  const lines = tried.map(({ provider, cells }) => `| ${kinds[provider.kind].title} | ${cells.join(' | ')} |`)
  return `## What holds

A tick means that it was tried and held. A word names what the protocol does not carry; that it is absent was tried as well.

| Provider | ${rows.map((row) => row.name).join(' | ')} |
| --- | ${rows.map(() => '---').join(' | ')} |
${lines.join('\n')}

${meanings.join('\n')}`
}

function keyOf(facts: KindFacts): string {
  const variables = facts.variables.map((name) => `\`${name}\``).join(', ')
  return [facts.key, ...(variables === '' ? [] : [variables])].join('; ')
}

function localAddresses(): readonly string[] {
  return Object.values(kinds).flatMap((facts) => facts.probedUrls.map((address) => `\`${address}\``))
}

function inWords(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

if (import.meta.main) {
  // Whoever reads a key from the environment would send one of these.
  Object.assign(process.env, environmentKeys())
  const wanted = providersDoc(await tryProviders())
  const path = join(repository, file)
  const written = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (!process.argv.includes('--check')) {
    writeFileSync(path, wanted)
    process.stdout.write(`Wrote ${file}.\n`)
  } else if (written !== wanted) {
    process.stdout.write(
      `${file} is not what the providers do. Write it anew: node scripts/providers-doc.ts\n`,
    )
    process.exitCode = 1
  }
}

/** `countersign provider`: who answers for the agent, whether they do, and with which key. */
import {
  CountersignError,
  type DetectedProvider,
  errorCatalogue,
  localSpeechProvider,
  type ModelView,
  ProviderKind,
  ProviderName,
  type ProviderTested,
  type SetProvider,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { asking } from '../asking/asking.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { parseDuration } from '../duration.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { installEmbeddings, localEmbeddings } from './local-embeddings.ts'
import { installSpeech } from './local-speech.ts'
import { readKey } from './provider-key.ts'
import {
  eachText,
  foundWords,
  healthWords,
  keyWords,
  promptText,
  refOf,
  testText,
  titleOf,
} from './provider-words.ts'

type NewProvider = Parameters<Client['addProvider']>[0]

export const add: Handler = async (context, [kind], options) => {
  if (kind === localEmbeddings) return installEmbeddings(context)
  if (kind === localSpeechProvider) return installSpeech(context)
  const settings = settingsOf(options)
  if (typeof settings === 'string') return usage(settings, 'provider add')
  const named = kind === undefined ? undefined : kindOf(kind)
  if (kind !== undefined && named === undefined)
    return usage(
      `There is no provider kind ${line(kind)}. Choose from: ${[...ProviderKind.options, localEmbeddings, localSpeechProvider].join(', ')}.`,
      'provider add',
    )
  const { client } = await context.gateway()
  const wanted = named === undefined ? await chosen(context, client) : named
  if (typeof wanted === 'object' && 'answer' in wanted) return wanted.answer
  const found = typeof wanted === 'string' ? { kind: wanted, name: wanted } : wanted
  const given = await completed(context, { ...found, ...settings }, options)
  if ('answer' in given) return given.answer
  const added = await client.addProvider(given)
  const data = { provider: added.provider, ledger: added.ledger }
  const words = `Added ${titleOf(added.provider)}.${ledgerMark(added.ledger)}`
  if (options.test === false)
    return done(
      { ...data, test: null },
      `${words}\nTest it with \`countersign provider test ${added.provider.name}\`.`,
    )
  context.working(`Testing ${line(added.provider.name)}`)
  const tested = await client.testProvider(added.provider.name)
  if (!tested.ok) return testFailed(`${words}\n`, added.provider.name, tested, data)
  const model = await modelOf(client, added.provider.name, tested)
  return done({ ...data, test: tested, model }, () =>
    [words, testText(tested, model), nextAfter(added.provider.name, tested)].join('\n'),
  )
}

export const list: Handler = async (context) => {
  const providers = await (await context.gateway()).client.providers()
  return done({ providers }, () => {
    if (providers.length === 0)
      return 'No provider yet. Add one with `countersign provider add`; it finds local servers and keys.'
    return table(
      ['Name', 'Kind', 'Address', 'Key', 'Health'],
      providers.map((provider) => [
        line(provider.name),
        provider.kind,
        line(provider.url),
        keyWords[provider.key],
        healthWords(provider, context),
      ]),
      context.host.output.columns,
    )
  })
}

export const test: Handler = async (context, [name], options) => {
  const { client } = await context.gateway()
  const names =
    name === undefined
      ? (await client.providers()).filter((each) => each.enabled).map((each) => each.name)
      : [name]
  if (names.length === 0)
    return usage('There is no provider to test. Add one with `countersign provider add`.', 'provider add')
  const model = typeof options.model === 'string' ? options.model : undefined
  if (model !== undefined && name === undefined)
    return usage('Give the provider of this model.', 'provider test')
  const prompt = typeof options.prompt === 'string' ? options.prompt : undefined
  if (prompt !== undefined) return promptAnswered(context, client, names, { model, prompt })
  const tests: { name: string; tested: ProviderTested; model: ModelView | null }[] = []
  for (const [at, each] of names.entries()) {
    context.working(`Testing ${line(each)}${names.length === 1 ? '' : `, ${at + 1} of ${names.length}`}`)
    const tested = await client.testProvider(each, model)
    tests.push({ name: each, tested, model: tested.ok ? await modelOf(client, each, tested) : null })
  }
  const [first] = tests
  if (first && tests.length === 1 && !first.tested.ok) return testFailed('', first.name, first.tested, {})
  const data = { tests: tests.map(({ name: provider, tested }) => ({ provider, ...tested })) }
  const bad = tests.filter(({ tested }) => !tested.ok)
  const text = tests
    .map((each) => `${context.paint('strong', line(each.name))}\n${indent(eachText(each))}`)
    .join('\n\n')
  if (bad.length === 0) return done(data, text)
  return failed({
    type: 'model_unavailable',
    message: `${text}\n`,
    next: `Look at ${bad.map((each) => line(each.name)).join(', ')} with \`countersign provider list\`.`,
    exit: errorCatalogue.model_unavailable.exit,
    details: data,
  })
}

/** One prompt to one model: what it says, how fast, and for how much. */
async function promptAnswered(
  context: Context,
  client: Client,
  names: readonly string[],
  { model, prompt }: { readonly model: string | undefined; readonly prompt: string },
): Promise<CommandAnswer> {
  const [name = ''] = names
  if (names.length !== 1)
    return usage(`Give the provider to ask: ${names.map(line).join(', ')}.`, 'provider test')
  if (prompt.trim() === '') return usage('The prompt is empty.', 'provider test')
  context.working(`Waiting for the reply of ${line(name)}`)
  const tested = await client.testProvider(name, model, prompt)
  if (!tested.ok) return testFailed('', name, tested, {})
  return done({ provider: name, ...tested }, () => promptText(tested, context))
}

export const set: Handler = async (context, [name = ''], options) => {
  const settings = settingsOf(options)
  if (typeof settings === 'string') return usage(settings, 'provider set')
  if (options.on === true && options.off === true) return usage('Either --on or --off.', 'provider set')
  const change: SetProvider = {
    ...settings,
    ...(options.on === true ? { enabled: true } : {}),
    ...(options.off === true ? { enabled: false } : {}),
  }
  if (options.key !== true && Object.keys(change).length === 0)
    return usage(
      'Say what to change: --address, --key, --timeout, --priority, --on or --off.',
      'provider set',
    )
  const { client } = await context.gateway()
  if (options.key === true) {
    const read = await readKey(context, {
      question: `New key of ${line(name)} (hidden): `,
      example: `… | countersign provider set ${line(name)} --key`,
      optional: false,
    })
    if (read.kind === 'cancelled') return done({ changed: false }, 'Nothing was changed.')
    change.key = read.key
  }
  const { provider, ledger } = await client.setProvider(name, change)
  const state = provider.enabled ? healthWords(provider, context) : 'off'
  return done({ provider, ledger }, () =>
    [
      `Changed ${line(provider.name)}.${ledgerMark(ledger)}`,
      columns([
        ['Address', line(provider.url)],
        ['Key', keyWords[provider.key]],
        ['Timeout', `${provider.timeoutMs / 1_000} s`],
        ['Priority', String(provider.priority)],
        ['State', state],
      ]),
    ].join('\n'),
  )
}

export const remove: Handler = async (context, [name = ''], options) => {
  const { client } = await context.gateway()
  if (context.interactive && options.yes !== true) {
    const agreed = await (await asking(context)).agreement({
      message: `Remove ${line(name)}?`,
      otherwise: 'keep it',
      instead: 'Add --yes.',
    })
    if (!agreed) return done({ name, removed: false }, `Kept ${line(name)}.`)
  }
  const had = (await client.providers()).find((each) => each.name === name)
  const { ledger } = await client.removeProvider(name)
  const kept =
    had?.key === 'vault' || had?.key === 'environment'
      ? '\nThe key itself stays valid until you revoke it at the provider.'
      : ''
  return done({ name, removed: true, ledger }, `Removed ${line(name)}.${ledgerMark(ledger)}${kept}`)
}

/** What was found is offered first; where nobody can choose, the kinds are named. */
async function chosen(
  context: Context,
  client: Client,
): Promise<NewProvider | ProviderKind | { readonly answer: CommandAnswer }> {
  context.working('Looking for local servers and keys')
  const detected = await client.detectProviders()
  if (!context.interactive) return { answer: nothingNamed(detected) }
  const found = detected.map((each) => ({
    value: {
      kind: each.kind,
      name: each.name,
      ...(each.url === null ? {} : { url: each.url }),
      keyFromEnvironment: each.variable !== null,
    },
    label: line(each.title),
    hint: foundWords(each),
  }))
  if (found.length === 0) context.say('No local server and no key was found here.')
  const asked = await (await asking(context)).choice<NewProvider | ProviderKind>({
    message: 'Which provider?',
    choices: [...found, ...ProviderKind.options.map((kind) => ({ value: kind, label: kind }))],
    instead: exampleFor(detected[0]),
  })
  return asked.kind === 'left' ? { answer: done({ added: false }, 'Nothing was added.') } : asked.value
}

function nothingNamed(detected: readonly DetectedProvider[]): CommandAnswer {
  const found = detected.map((each) => `\n  ${line(each.title)}, ${foundWords(each)}`)
  return failed({
    type: 'usage',
    message: `Give the kind of the provider: ${ProviderKind.options.join(', ')}.${found.length > 0 ? `\nFound here:${found.join('')}` : ''}`,
    next: exampleFor(detected[0]),
    exit: errorCatalogue.usage.exit,
    details: { kinds: ProviderKind.options, detected },
  })
}

function exampleFor(first: DetectedProvider | undefined): string {
  if (first === undefined) return 'For example: `countersign provider add anthropic`.'
  const place = first.url === null ? '' : ` --address ${line(first.url)}`
  return `For example: \`countersign provider add ${first.kind} --name ${first.name}${first.variable === null ? place : ' --key-env'}\`.`
}

/** Adds what the options leave open: the name, and the key where the kind has one. */
async function completed(
  context: Context,
  wanted: NewProvider,
  options: OptionValues,
): Promise<NewProvider | { readonly answer: CommandAnswer }> {
  const name = typeof options.name === 'string' ? options.name : wanted.name
  if (!ProviderName.safeParse(name).success)
    return {
      answer: usage(`${line(name)} is not a short name in lower case, such as my-server.`, 'provider add'),
    }
  const url = wanted.kind === 'openai-compatible' ? (wanted.url ?? (await addressFrom(context))) : wanted.url
  if (wanted.kind === 'openai-compatible' && url === undefined)
    return {
      answer: usage(
        'Give the address of the server: --address http://127.0.0.1:1234/v1. (--url names the gateway.)',
        'provider add',
      ),
    }
  const named = { ...wanted, name, ...(url === undefined ? {} : { url }) }
  if (options.keyEnv === true || wanted.keyFromEnvironment === true)
    return { ...named, keyFromEnvironment: true }
  if (wanted.kind === 'ollama' || wanted.kind === 'demo' || options.key === false) return named
  const optional = wanted.kind === 'openai-compatible'
  const read = await readKey(context, {
    question: `Key of ${line(name)} (hidden${optional ? ', Enter for none' : ''}): `,
    example: `… | countersign provider add ${wanted.kind}`,
    optional,
  })
  if (read.kind === 'cancelled') return { answer: done({ added: false }, 'Nothing was added.') }
  return read.key === '' ? named : { ...named, key: read.key }
}

/** Nothing where nobody can be asked, or nothing was said. */
async function addressFrom(context: Context): Promise<string | undefined> {
  if (!context.interactive) return undefined
  const asked = await (await asking(context)).text({
    message: 'Address of the server, such as http://127.0.0.1:1234/v1',
    instead: 'Give --address.',
    problem: (typed) => (typed === '' || isHttp(typed) ? undefined : 'That is not an http address.'),
  })
  return asked.kind === 'left' || asked.value === '' ? undefined : asked.value
}

const isHttp = (url: string) => /^https?:$/.test(URL.parse(url)?.protocol ?? '')

/** A sentence when an option is not what it should be. */
function settingsOf(options: OptionValues): Pick<SetProvider, 'url' | 'timeoutMs' | 'priority'> | string {
  const { address: url, timeout, priority } = options
  if (typeof url === 'string' && !isHttp(url)) return `${line(url)} is not an http address.`
  const timeoutMs = typeof timeout === 'string' ? parseDuration(timeout) : undefined
  if (typeof timeout === 'string' && !(timeoutMs !== undefined && timeoutMs >= 1_000 && timeoutMs <= 600_000))
    return '--timeout is a time from 1s to 10m.'
  const place = typeof priority === 'string' ? Number(priority) : undefined
  if (place !== undefined && !(Number.isInteger(place) && place >= 0 && place <= 1_000))
    return '--priority is a whole number from 0 to 1000; lower comes first.'
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(place === undefined ? {} : { priority: place }),
  }
}

const kindOf = (text: string): ProviderKind | undefined => ProviderKind.safeParse(text.toLowerCase()).data

/** The test says which model answered; its price is in the catalogue, if anywhere. */
async function modelOf(client: Client, name: string, { model }: ProviderTested): Promise<ModelView | null> {
  try {
    return await client.model(refOf(name, model))
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'not_found') return null
    throw error
  }
}

function nextAfter(name: string, { model }: ProviderTested): string {
  return `Next: \`countersign model use ${line(refOf(name, model))}\`, then \`countersign chat\`.`
}

function testFailed(
  before: string,
  name: string,
  tested: ProviderTested,
  data: Readonly<Record<string, unknown>>,
): CommandAnswer {
  return failed({
    type: 'model_unavailable',
    message: `${before}The test of ${line(name)} failed: ${line(tested.problem ?? 'no reason was given')}`,
    next: line(
      tested.next ??
        `Change it with \`countersign provider set ${name}\`, then \`countersign provider test ${name}\`.`,
    ),
    exit: errorCatalogue.model_unavailable.exit,
    details: { ...data, test: tested },
  })
}

/** `countersign secret`: what the agent may use without ever seeing it, and where each may go. */
import {
  type Destination,
  destinationIn,
  destinationText,
  type SecretEntry,
  SecretName,
  type SecretStored,
  secretHandle,
} from '@countersign/contract'
import { asking } from '../asking/asking.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'
import { readSecretValue } from './secret-value.ts'

export const list: Handler = async (context) => {
  const secrets = await (await context.gateway()).client.secrets()
  return done({ secrets }, () => {
    if (secrets.length === 0)
      return 'No secret yet. Add one with `countersign secret set github --host api.github.com`.'
    const rows = secrets.map((secret) => rowOf(secret, context))
    return columns([['Name', 'Goes to', 'Used by', 'Last used', 'Set'], ...rows])
  })
}

export const set: Handler = async (context, [name = ''], options) => {
  const wrongName = problemOfName(name)
  if (wrongName !== undefined) return usage(wrongName, 'secret set')
  const destinations = destinationsIn(await hostsOf(context, options), options)
  if (typeof destinations === 'string') return usage(destinations, 'secret set')
  const client = (await context.gateway()).client
  if (destinations.some(({ scheme }) => scheme === 'http'))
    context.note('Over plain http, anyone on the network path can read the value.')
  const value = await readSecretValue(context, `Value of ${line(name)} (hidden): `)
  if (value === undefined) return kept()
  const stored = await client.storeSecret(name, {
    value,
    destinations,
    tools: listOf(options['tool']),
    ...(typeof options['description'] === 'string' ? { description: options['description'] } : {}),
  })
  return storedAnswer(stored, stored.replaced ? 'Replaced' : 'Stored', value)
}

export const rotate: Handler = async (context, [name = '']) => {
  const wrongName = problemOfName(name)
  if (wrongName !== undefined) return usage(wrongName, 'secret rotate')
  const client = (await context.gateway()).client
  if (!(await client.secrets()).some((secret) => secret.name === name))
    return usage(`There is no secret ${line(name)} to rotate. Set it first.`, 'secret set')
  const value = await readSecretValue(context, `New value of ${line(name)} (hidden): `)
  if (value === undefined) return kept()
  return storedAnswer(await client.rotateSecret(name, { value }), 'Rotated', value)
}

export const remove: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.removeSecret(name)
  const words = [
    `Removed ${line(name)}.${ledgerMark(ledger)}`,
    'The value itself stays valid until you revoke it at its service.',
  ]
  return done({ name, ledger }, words.join('\n'))
}

function storedAnswer(stored: SecretStored, verb: string, value: string): CommandAnswer {
  const { secret, handle, ledger } = stored
  return done({ ...stored }, () =>
    [
      `${verb} ${line(secret.name)}, ${Array.from(value).length} characters.${ledgerMark(ledger)}`,
      columns([
        ['Goes to', destinationsText(secret)],
        ['Used by', toolsOf(secret)],
        ['Write', line(handle)],
      ]),
      'The agent only writes the handle. The gateway inserts the value into requests and removes it from responses.',
    ].join('\n'),
  )
}

function kept(): CommandAnswer {
  return done({ stored: false }, 'Nothing was changed.')
}

function rowOf(secret: SecretEntry, context: Context): string[] {
  const when = (at: string | null) => (at === null ? 'never' : ago(at, context.moment()))
  return [
    line(secret.name),
    destinationsText(secret),
    toolsOf(secret),
    when(secret.lastUsedAt),
    `${when(secret.rotatedAt ?? secret.createdAt)}${secret.description === '' ? '' : `  ${line(secret.description)}`}`,
  ]
}

const destinationsText = ({ destinations }: SecretEntry) =>
  destinations.map(destinationText).map(line).join(', ')
const toolsOf = ({ tools }: SecretEntry) => (tools.length === 0 ? 'every tool' : tools.map(line).join(', '))

function problemOfName(name: string): string | undefined {
  if (SecretName.safeParse(name).success) return undefined
  return (
    `${line(name)} is not a name for a secret: lower case letters, digits, - and _, ` +
    `with one dot at most, as in smtp.password. A call then writes ${secretHandle('smtp.password')}.`
  )
}

/** Asked for where somebody can answer. */
async function hostsOf(context: Context, options: OptionValues): Promise<string[]> {
  if (options['host'] !== undefined || !context.interactive) return listOf(options['host'])
  const asked = await (await asking(context)).text({
    message: 'Hosts it may go to, such as api.github.com',
    instead: 'Give --host.',
    problem: (typed) => {
      const found = typed === '' ? [] : destinationsIn(listOf(typed), options)
      return typeof found === 'string' ? found : undefined
    },
  })
  return asked.kind === 'left' ? [] : listOf(asked.value)
}

/** A sentence when no exact place is named. */
function destinationsIn(hosts: readonly string[], options: OptionValues): Destination[] | string {
  if (hosts.length === 0)
    return 'Give the allowed hosts: --host api.github.com, or several separated by commas. The value goes nowhere else.'
  const usual = options['http'] === true ? 'http' : 'https'
  const found: Destination[] = []
  for (const host of hosts) {
    const destination = destinationIn(host, usual)
    if (destination === undefined)
      return `${line(host)} is not one exact host, such as api.github.com or api.github.com:8443. Wildcards are not allowed.`
    found.push(destination)
  }
  return found
}

function listOf(value: string | boolean | undefined): string[] {
  if (typeof value !== 'string') return []
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** `countersign node`, on the computer of the gateway: which other computers run calls, who asks to, and what each may. */
import { randomBytes } from 'node:crypto'
import {
  CountersignError,
  NodeCapability,
  type NodePairingRequestView,
  type NodeView,
} from '@countersign/contract'
import { fingerprint } from '@countersign/contract/node'
import { consentTo } from '../consent.ts'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago, until } from '../output/time.ts'
import { nodeSigned, nodeWordsFor, revocationSigned } from './device-statement.ts'
import { findNode, namedRequest, plainWords, stateOfNode } from './node-words.ts'
import { invitationBy } from './pairing-link.ts'

export const list: Handler = async (context, _args, options) => {
  const { client } = await context.gateway()
  const [{ nodes }, waiting] = await Promise.all([client.nodes(), client.nodePairingRequests()])
  const shown = nodes.filter(({ revokedAt }) => options['all'] === true || revokedAt === null)
  return done({ nodes: shown, waiting: waiting.length }, () =>
    [
      ...(waiting.length === 0
        ? []
        : [`${waiting.length} waiting to be let in. See them with \`countersign node requests\`.`]),
      shown.length === 0
        ? 'No other computer runs calls. Run `countersign node pair <address>` on one to let it ask.'
        : nodeTable(shown, context),
    ].join('\n\n'),
  )
}

export const requests: Handler = async (context) => {
  const { client, identity } = await context.gateway()
  const waiting = await Promise.all(
    (await client.nodePairingRequests()).map(async (request) => ({
      ...request,
      words: await nodeWordsFor(identity, request),
    })),
  )
  return done({ waiting }, () =>
    waiting.length === 0
      ? 'Nobody is waiting. Run `countersign node pair <address>` on the other computer first.'
      : waiting.map((request) => requestText(request, context)).join('\n\n'),
  )
}

export const approve: Handler = async (context, [ref], options) => {
  const { client, identity } = await context.gateway()
  const request = namedRequest(ref, await client.nodePairingRequests())
  const name = typeof options['name'] === 'string' ? options['name'].trim() : request.name
  if (name === '' || name.length > 60) return usage('A name has 1 to 60 characters.', 'node approve')
  const words = await nodeWordsFor(identity, request)
  const given = options['words']
  if (typeof given === 'string') {
    if (plainWords(given) !== words) throw otherWords()
  } else {
    // Only who sees the other screen knows; agreeing to everything beforehand is no comparison.
    if (!context.interactive || context.flags.yes)
      return usage('Give the six words that the other computer shows: --words "…".', 'node approve')
    const plan = [
      `${line(name)}, ${line(request.platform)}, would run calls that you allow. What changes something there needs your approval each time.`,
      'The other computer must show:',
      indent(words),
    ].join('\n')
    const question = 'Does it show the same six words? Type y to let it in, or anything else to leave it'
    if ((await consentTo(context, { plan, question, word: 'y' })) !== 'given')
      return done(
        { request: request.id, approved: false },
        'The request is still pending. Refuse it with `countersign node refuse`.',
      )
  }
  const { node, executor, key, platform } = request
  const statement = nodeSigned(identity, { node, executor, key, name, platform }, context.host.clock())
  const { ledger } = await client.stateDevice(statement)
  return done(
    { request: request.id, approved: true, node, name, ledger },
    `${line(name)} is let in. It runs calls as long as \`countersign node run\` runs there.${ledgerMark(ledger)}`,
  )
}

export const refuse: Handler = async (context, [ref]) => {
  const { client } = await context.gateway()
  const request = namedRequest(ref, await client.nodePairingRequests())
  const { ledger } = await client.refuseNodePairing(request.id)
  return done(
    { request: request.id, refused: true, ledger },
    `Refused ${line(request.name)}.${ledgerMark(ledger)}`,
  )
}

export const show: Handler = async (context, [ref = '']) => {
  const { nodes } = await (await context.gateway()).client.nodes()
  const node = findNode(ref, nodes)
  return done({ node, fingerprint: fingerprint(node.key) }, () => nodeText(node, context))
}

export const limit: Handler = async (context, [ref = ''], options) => {
  const off = capabilitiesIn(options['off'])
  const on = capabilitiesIn(options['on'])
  if (typeof off === 'string') return usage(off, 'node limit')
  if (typeof on === 'string') return usage(on, 'node limit')
  if (off.length + on.length === 0)
    return usage('Say what to switch: --off camera,screen or --on files.', 'node limit')
  const { client } = await context.gateway()
  const node = findNode(ref, (await client.nodes()).nodes)
  const now = [...new Set([...node.off, ...off])].filter((each) => !on.includes(each))
  const { ledger } = await client.limitNode(node.id, { off: now })
  const told = now.length === 0 ? 'Nothing is switched off here' : `Switched off here: ${now.join(', ')}`
  return done({ node: node.id, off: now, ledger }, `${told} for ${line(node.name)}.${ledgerMark(ledger)}`)
}

export const rename: Handler = async (context, [ref = '', given = '']) => {
  const name = given.trim()
  if (name === '' || name.length > 60) return usage('A name has 1 to 60 characters.', 'node rename')
  const { client, identity } = await context.gateway()
  const { id: node, key, platform, name: before } = findNode(ref, (await client.nodes()).nodes)
  const own = identity.nodes?.find((each) => each.node === node && each.key === fingerprint(key))
  if (!own)
    throw new CountersignError('not_authenticated', `This host has not let ${line(before)} in.`, {
      next: 'Rename it on the computer of the gateway.',
    })
  const { executor } = own
  const statement = nodeSigned(identity, { node, executor, key, name, platform }, context.host.clock())
  const { ledger } = await client.stateDevice(statement)
  return done({ node, name, ledger }, `${line(before)} is now called ${line(name)}.${ledgerMark(ledger)}`)
}

export const revoke: Handler = async (context, [ref = '']) => {
  const { client, identity } = await context.gateway()
  const { id, name } = findNode(ref, (await client.nodes()).nodes)
  const plan = `${line(name)} is revoked immediately and permanently. What it runs now may end unseen. To come back it must pair with a new key.`
  const consent = await consentTo(context, { plan, question: 'Type revoke to confirm', word: 'revoke' })
  if (consent === 'nobody-to-ask')
    return usage('This needs a confirmation in a terminal. Add --yes to skip it.', 'node revoke')
  if (consent === 'withheld') return done({ revoked: false }, 'Nothing was changed.')
  const { ledger } = await client.stateDevice(revocationSigned(identity, id, context.host.clock()))
  return done({ node: id, revoked: true, ledger }, `Revoked ${line(name)}.${ledgerMark(ledger)}`)
}

export const invite: Handler = async (context, _args, options) => {
  const { client } = await context.gateway()
  const served = (await client.devices()).origins.filter(({ served: isServed }) => isServed)
  const named = options['origin']
  const [origin, ...others] = served.filter((each) => named === undefined || each.origin === named)
  if (!origin || others.length > 0)
    throw new CountersignError(
      'usage',
      served.length === 0
        ? 'No public origin is set, so no computer elsewhere can reach the gateway.'
        : 'Name the public origin with --origin.',
      {
        next:
          served.length === 0
            ? 'Set up a proxy as in docs/operators/remote-access.md. On this computer a node needs no invitation.'
            : `There are: ${served.map((each) => each.origin).join(', ')}.`,
      },
    )
  const secret = randomBytes(32).toString('base64url')
  const { expiresAt } = await client.invite({ invitation: invitationBy(secret), origin: origin.origin })
  const command = `countersign node pair ${origin.origin} --invitation ${secret}`
  return done({ origin: origin.origin, command, expiresAt }, () =>
    [
      'Run this on the other computer. It works once, within five minutes:',
      indent(command),
      'Then compare the words here with `countersign node approve`.',
    ].join('\n'),
  )
}

function capabilitiesIn(given: unknown): NodeCapability[] | string {
  if (typeof given !== 'string') return []
  const names = given.split(',').map((name) => name.trim())
  const parsed = names.map((name) => NodeCapability.safeParse(name))
  const unknown = names.filter((_, index) => parsed[index]?.success !== true)
  if (unknown.length > 0)
    return `There is no ${unknown.map(line).join(', ')}. There are ${NodeCapability.options.join(', ')}.`
  return parsed.flatMap(({ data }) => data ?? [])
}

function requestText(
  { name, platform, expiresAt, words }: NodePairingRequestView & { readonly words: string },
  context: Context,
): string {
  return [
    context.paint('strong', `${line(name)} asks to run calls`),
    indent(
      columns([
        ['From', line(platform)],
        ['Words', words],
        ['Waits', `${until(expiresAt, context.moment())} more`],
      ]),
    ),
    'Let it in with `countersign node approve` if it shows the same words.',
  ].join('\n')
}

function nodeTable(nodes: readonly NodeView[], context: Context): string {
  const rows = nodes.map((node) => [
    line(node.name),
    stateOfNode(node, context.moment()),
    line(node.platform),
    (node.advert?.capabilities ?? [])
      .filter(({ capability, state }) => state === 'ready' && !node.off.includes(capability))
      .map(({ capability }) => capability)
      .join(', '),
    node.off.join(', '),
  ])
  return table(['Node', 'State', 'Platform', 'Can', 'Off here'], rows, context.width())
}

function nodeText(node: NodeView, context: Context): string {
  const { advert } = node
  const capabilities = (advert?.capabilities ?? []).map(
    ({ capability, state, reason, fix }): [string, string] => [
      capability,
      node.off.includes(capability)
        ? 'switched off here'
        : state === 'ready'
          ? 'ready'
          : line(`${state}: ${reason} ${fix}`.trim()),
    ],
  )
  return [
    context.paint('strong', line(node.name)),
    columns([
      ['Id', node.id],
      ['State', stateOfNode(node, context.moment())],
      ['Platform', line(node.platform)],
      ['Added', ago(node.addedAt, context.moment())],
      ['Key', fingerprint(node.key)],
      ...(advert === null
        ? []
        : ([
            ['Version', line(advert.version)],
            ['Shares', line(advert.folder)],
            [
              'Sandbox',
              advert.sandbox.kind === 'available'
                ? line(advert.sandbox.name)
                : line(`none: ${advert.sandbox.reason}`),
            ],
            ['Ledger', advert.witnessed === 0 ? 'not seen yet' : `seen up to entry ${advert.witnessed}`],
          ] satisfies [string, string][])),
      ...(node.complaint === null
        ? []
        : ([['Complains', line(node.complaint)]] satisfies [string, string][])),
    ]),
    ...(capabilities.length === 0 ? [] : [columns(capabilities)]),
  ].join('\n\n')
}

function otherWords(): CountersignError {
  return new CountersignError(
    'conflict',
    'The words differ, so this request is not from the computer in front of you.',
    { next: 'Refuse it with `countersign node refuse`, and start again on the other computer.' },
  )
}

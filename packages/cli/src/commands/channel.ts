/** `countersign channel`: the ways on which people talk to the agent, and how each stands. */
import { type ChannelView, CountersignError, channelHookPath, settingText } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { counted } from '../output/counted.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { channelNotes, decisionWords, stateWords } from './channel-words.ts'

export const list: Handler = async (context) => {
  const channels = await (await context.gateway()).client.channels()
  return done({ channels }, () => {
    if (channels.length === 0)
      return 'No channel yet. See what there is with `countersign channel kinds`, and add one with `countersign channel add chat --kind telegram`.'
    const when = (at: string | null) => (at === null ? 'never' : ago(at, context.moment()))
    const rows = channels.map((channel) => [
      line(channel.name),
      line(channel.title),
      stateWords[channel.state],
      channel.account === null ? '' : line(channel.account.name),
      counted(channel.people, 'person', 'people'),
      when(channel.lastInAt),
      when(channel.lastOutAt),
    ])
    const notes = channels.flatMap((channel) =>
      channelNotes(channel).map((note) => `${line(channel.name)}: ${note}`),
    )
    return [
      table(['Name', 'Kind', 'State', 'Account', 'Let in', 'Last in', 'Last out'], rows, context.width()),
      ...notes,
    ].join('\n')
  })
}

export const show: Handler = async (context, [name = '']) => {
  const { client } = await context.gateway()
  const [channel, kinds] = await Promise.all([channelNamed(client, name), client.channelKinds()])
  const kind = kinds.find((each) => each.kind === channel.kind)
  return done({ channel }, () => {
    const { choices, settings, account } = channel
    const at = (time: string | null) => (time === null ? 'never' : ago(time, context.moment()))
    const rows = [
      ['Kind', `${line(channel.title)} (${line(channel.kind)})`],
      ['State', `${stateWords[channel.state]} since ${ago(channel.since, context.moment())}`],
      ...(account === null ? [] : [['Account', `${line(account.name)} (${line(account.id)})`]]),
      ...(kind?.web === true ? [['Takes what is sent to', channelHookPath(line(name))]] : []),
      ['Last in', at(channel.lastInAt)],
      ['Last out', at(channel.lastOutAt)],
      ['Let in', counted(channel.people, 'person', 'people')],
      ['You may decide', decisionWords(kind, choices.approvals)],
      ['Notices', choices.notices ? 'you are told there' : 'you are not told there'],
      ...(kind?.groups === false
        ? []
        : [['Groups', choices.groups.length === 0 ? 'none' : choices.groups.map(line).join(', ')]]),
      ...(channel.waiting > 0 ? [['On their way', counted(channel.waiting, 'message')]] : []),
      ...Object.entries(settings).map(([setting, value]) => [
        line(setting),
        line(settingText(value).replaceAll('\n', ', ')),
      ]),
    ]
    return [columns(rows), ...channelNotes(channel)].join('\n')
  })
}

export const test: Handler = async (context, [name = '']) => {
  const { client } = await context.gateway()
  const { chats } = await client.testChannel(name)
  if (chats > 0)
    return done(
      { name, chats },
      `A line is on its way to ${counted(chats, 'chat')} of yours. See what became of it with \`countersign channel log ${line(name)}\`.`,
    )
  return done({ name, chats }, () =>
    [
      `Nobody was let in as you in ${line(name)}, so there is no chat to send to.`,
      'Write to it from your own account, and let yourself in with `countersign peer admit <code> --as operator`.',
    ].join('\n'),
  )
}

export const pause: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.chooseChannel(name, { paused: true })
  return done(
    { name, paused: true, ledger },
    `Paused ${line(name)}.${ledgerMark(ledger)}\nConnect it again with \`countersign channel resume ${line(name)}\`.`,
  )
}

export const resume: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.chooseChannel(name, { paused: false })
  return done({ name, paused: false, ledger }, `Resumed ${line(name)}.${ledgerMark(ledger)}`)
}

export const remove: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.removeChannel(name)
  const words = [
    `Removed ${line(name)}, its secrets and its people.${ledgerMark(ledger)}`,
    'A token or a password stays valid until you revoke it on the platform.',
  ]
  return done({ name, ledger }, words.join('\n'))
}

export async function channelNamed(client: Client, name: string): Promise<ChannelView> {
  const channel = (await client.channels()).find((each) => each.name === name)
  if (channel) return channel
  throw new CountersignError('not_found', `There is no channel ${line(name)}.`, {
    next: 'See them with `countersign channel list`.',
  })
}

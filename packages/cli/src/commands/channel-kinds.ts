/** `countersign channel kinds`: which kinds of channels there are, and what one needs before it can be added. */
import { type ChannelKindView, CountersignError, channelSettings } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { decisionWords } from './channel-words.ts'

export const kinds: Handler = async (context, [named]) => {
  const { client } = await context.gateway()
  if (named !== undefined) {
    const kind = await kindNamed(client, named)
    return done({ kind }, () => kindText(kind))
  }
  const known = await client.channelKinds()
  return done({ kinds: known }, () =>
    [
      table(
        ['Kind', 'Title', 'What it is'],
        known.map(({ kind, title, about }) => [line(kind), line(title), line(about)]),
        context.width(),
      ),
      'See what one needs with `countersign channel kinds <kind>`.',
    ].join('\n'),
  )
}

function kindText(kind: ChannelKindView): string {
  const settings = channelSettings(kind.settings)
  const needed = settings.filter(({ required }) => required)
  return [
    `${line(kind.title)}: ${line(kind.about)}`,
    ...(kind.steps.length === 0 ? [] : [`Before it is added\n${stepsText(kind)}`]),
    section(
      'Secrets, which are asked for',
      kind.secrets.map(({ name, label, optional }) => [
        line(name),
        `${line(label)}${optional ? ' (optional)' : ''}`,
      ]),
    ),
    section(
      'Settings, with --set',
      settings.map((setting) => [
        line(setting.name),
        [
          line(setting.about),
          ...(setting.choices.length === 0 ? [] : [setting.choices.map(line).join(', ')]),
          setting.required ? 'needed' : setting.usual === null ? 'optional' : usualText(setting.usual),
        ]
          .filter((each) => each !== '')
          .join('; '),
      ]),
    ),
    columns([
      ['Direction', kind.direction === 'both' ? 'people write, and are answered' : 'only outwards'],
      ['You may decide', decisionWords(kind, true)],
      ...(kind.web
        ? [['Takes what is sent to', '/hooks/channels/<name>, which the platform must reach']]
        : []),
      ['Groups', kind.groups ? 'those that you name, where the agent is addressed' : 'none'],
    ]),
    `Add it with \`countersign channel add chat --kind ${line(kind.kind)}${needed.map(({ name }) => ` --set ${line(name)}=…`).join('')}\`.`,
  ]
    .filter((each) => each !== '')
    .join('\n\n')
}

export function stepsText({ steps }: ChannelKindView): string {
  return indent(steps.map((step, at) => `${at + 1}. ${lines(step)}`).join('\n'))
}

export async function kindNamed(client: Client, name: string): Promise<ChannelKindView> {
  const known = await client.channelKinds()
  const kind = known.find((each) => each.kind === name)
  if (kind) return kind
  throw new CountersignError('not_found', `There is no kind of channel ${line(name)}.`, {
    next: `Choose from: ${known.map((each) => line(each.kind)).join(', ')}.`,
  })
}

const usualText = (usual: string): string =>
  usual === '' || usual === '[]' ? 'optional' : `default: ${line(usual.replaceAll('\n', ', '))}`

function section(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}\n${indent(columns(rows))}`
}

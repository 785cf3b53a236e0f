/** `countersign channel log`: what was sent in a channel, what became of it, and the answers that wait for the operator. */
import { DeliveryState, type DeliveryView } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'
import { deliveryKinds, deliveryWords } from './channel-words.ts'

const mostSaid = 120

export const log: Handler = async (context, [name = ''], { state }) => {
  const wanted = DeliveryState.optional().safeParse(state)
  if (!wanted.success)
    return usage(
      `${line(String(state))} is not a state: choose from ${DeliveryState.options.join(', ')}.`,
      'channel log',
    )
  const all = await (await context.gateway()).client.deliveries(name)
  const deliveries = all.filter((each) => wanted.data === undefined || each.state === wanted.data)
  return done({ deliveries }, () => {
    if (deliveries.length === 0)
      return wanted.data === undefined
        ? `Nothing was sent in ${line(name)} yet.`
        : `Nothing in ${line(name)} is in that state.`
    return [
      deliveries.map((delivery) => deliveryText(context, delivery)).join('\n\n'),
      ...(deliveries.some((each) => each.state === 'held')
        ? [
            '',
            'An answer that is held may hold something private. Send it with `countersign channel release <delivery>`, or drop it with `countersign channel drop <delivery>`.',
          ]
        : []),
    ].join('\n')
  })
}

function deliveryText(context: Context, delivery: DeliveryView): string {
  const { id, chat, kind, state, text, attempts, problem, at, sentAt } = delivery
  return [
    `${line(id)}  ${deliveryWords[state]}  ${deliveryKinds[kind]} ${kind === 'incoming' ? 'from' : 'for'} ${line(chat)}`,
    // Whoever lets it go has read all of it.
    indent(state === 'held' ? lines(text) : shortened(line(text)), '    '),
    columns([
      [
        '  ',
        `${kind === 'incoming' ? 'came in' : 'written'} ${ago(at, context.moment())}${sentAt === null ? '' : `, sent ${ago(sentAt, context.moment())}`}${attempts > 1 ? `, tried ${attempts} times` : ''}`,
      ],
      ...(problem === null ? [] : [['  ', line(problem)]]),
      ...(state === 'unknown'
        ? [['  ', 'It may have arrived, so it is not sent again. Look in the chat.']]
        : []),
      ...(state === 'aside'
        ? [
            [
              '  ',
              `Try it again with \`countersign channel release ${line(id)}\`, or leave it with \`drop\`.`,
            ],
          ]
        : []),
    ]),
  ].join('\n')
}

const shortened = (said: string): string => (said.length > mostSaid ? `${said.slice(0, mostSaid)}…` : said)

export const release: Handler = (context, [id = '']) => settle(context, id, true)
export const drop: Handler = (context, [id = '']) => settle(context, id, false)

async function settle(context: Context, id: string, send: boolean): Promise<CommandAnswer> {
  const { ledger } = await (await context.gateway()).client.settleDelivery(id, send)
  const words = send ? 'The answer is on its way.' : 'The answer was dropped and is never sent.'
  return done({ id, sent: send, ledger }, `${words}${ledgerMark(ledger)}`)
}

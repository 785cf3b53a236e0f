/** `countersign agent learnings`: what an agent has learned, and what of it you accept. */
import type { AgentLearning } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'

const command = 'agent learnings'

export const learnings: Handler = async (context, [ref = ''], options) => {
  const { client } = await context.gateway()
  const chosen = (['add', 'accept', 'edit', 'rm'] as const).filter((name) => options[name] !== undefined)
  const [action] = chosen
  if (chosen.length > 1) return usage('Give one of --add, --accept, --edit and --rm.', command)
  if (action === undefined) return list(context, client, ref)
  const given = String(options[action])
  if (action === 'add') {
    const { learning, ledger } = await client.addAgentLearning(ref, { text: given })
    return done({ learning, ledger }, `Added: ${line(learning.text)}${ledgerMark(ledger)}`)
  }
  const all = await client.agentLearnings(ref)
  const found = all.find(({ id }, place) => id === given || String(place + 1) === given)
  if (!found)
    return usage(
      `There is no learning ${line(given)}; \`countersign agent learnings\` numbers them.`,
      command,
    )
  return change(client, { ref, found, action, options })
}

async function change(
  client: Client,
  {
    ref,
    found,
    action,
    options,
  }: { ref: string; found: AgentLearning; action: 'accept' | 'edit' | 'rm'; options: OptionValues },
): Promise<CommandAnswer> {
  if (action === 'rm') {
    const { id, ledger } = await client.removeAgentLearning(ref, found.id)
    return done({ id, ledger }, `Removed: ${line(found.text)}${ledgerMark(ledger)}`)
  }
  const text = action === 'accept' ? found.text : options['text']
  if (typeof text !== 'string' || text.trim() === '')
    return usage('Give its new words: --edit 1 --text "…".', command)
  const { learning, ledger } = await client.setAgentLearning(ref, found.id, { text })
  const verb = action === 'accept' ? 'Accepted' : 'Changed'
  return done({ learning, ledger }, `${verb}: ${line(learning.text)}${ledgerMark(ledger)}`)
}

async function list(context: Context, client: Client, ref: string): Promise<CommandAnswer> {
  const all = await client.agentLearnings(ref)
  return done({ learnings: all }, () => {
    if (all.length === 0)
      return `It has learned nothing yet. Add something with \`countersign agent learnings ${line(ref)} --add "…"\`.`
    const rows = all.map(({ text, at, by, waits, label }, place) => [
      String(place + 1),
      waits ? `waits${sourceOf(label)}` : 'told',
      line(by),
      ago(at, context.moment()),
      line(text),
    ])
    return [
      table(['No.', 'State', 'By', 'Since', 'What it learned'], rows, context.host.output.columns),
      ...(all.some(({ waits }) => waits)
        ? ['', `Accept one with \`countersign agent learnings ${line(ref)} --accept 1\`.`]
        : []),
    ].join('\n')
  })
}

function sourceOf(label: AgentLearning['label']): string {
  if (label?.integrity !== 'untrusted') return ', from private content'
  return `, from ${label.sources.map(line).join(', ') || 'strangers'}`
}

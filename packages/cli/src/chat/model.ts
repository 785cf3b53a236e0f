/** Owns `/model`: which model answers here, which could, and the choice of another. */
import type { ModelView } from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import type { Conversation } from './conversation.ts'

/** Takes a choice back: what the agent or the route says answers again. */
const usual = 'default'

export async function modelText(
  gateway: Gateway,
  conversation: Conversation,
  wanted: string,
): Promise<string> {
  const models = await gateway.client.models()
  if (wanted === '') return listText(models, await answering(gateway, conversation))
  if (wanted === usual) {
    conversation.useModel(null)
    return 'From the next message on, your usual model answers.'
  }
  const chosen = models.filter(({ ref, model }) => ref === wanted || model === wanted)
  const [one] = chosen
  if (one === undefined) return `There is no model ${line(wanted)}. /model lists them.`
  if (chosen.length > 1)
    return `${line(wanted)} is the name of several: ${chosen.map(({ ref }) => line(ref)).join(', ')}.`
  conversation.useModel(one.ref)
  return `From the next message on, ${line(one.ref)} answers in this conversation. /model ${usual} takes that back.`
}

/** What may follow `/model`. */
export async function modelNames({ client }: Gateway): Promise<string[]> {
  return [usual, ...offered(await client.models()).map(({ ref }) => ref)]
}

/** Only a model that can call tools can do what an assistant does. */
function offered(models: readonly ModelView[]): readonly ModelView[] {
  return models.filter(({ capabilities }) => capabilities.includes('tools'))
}

/** Null where nothing was chosen. */
async function answering({ client }: Gateway, conversation: Conversation): Promise<string | null> {
  const chosen = conversation.chosenModel()
  if (chosen !== undefined) return chosen
  const { session } = conversation.state()
  return session === null ? null : (await client.session(session)).session.model
}

function listText(models: readonly ModelView[], chosen: string | null): string {
  const rows = offered(models).map(({ ref, title }) => [ref === chosen ? '●' : ' ', line(ref), line(title)])
  return [
    chosen === null ? 'Your usual model answers here.' : `${line(chosen)} answers here.`,
    ...(rows.length === 0 ? [] : [columns(rows)]),
    `Choose with /model NAME; /model ${usual} goes back to your usual model.`,
  ].join('\n')
}

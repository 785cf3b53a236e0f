/** Owns who may say which model answers. Refuses a device that does not seal: the model decides to which provider the words go. */
import { CountersignError } from '@countersign/contract'
import type { RequestSender } from './request-sender.ts'

export function chosenModel<Model extends string | null>(
  speaker: RequestSender,
  { model }: { readonly model?: Model | undefined },
): { readonly model?: Model } {
  if (model === undefined) return {}
  if (speaker.reach < 3)
    throw new CountersignError('step_up_needed', `${speaker.actor.id} may not choose the model.`, {
      next: 'Send it without one, or from a device that approves what is visible to others.',
    })
  return { model }
}

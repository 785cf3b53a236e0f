/**
 * Owns what a run is worth before its first call, in the product as it is installed: what the composer of prompts says
 * of a prompt with the operator's name, goal and memories in it.
 */
import { basePrompts, composePrompt } from '@countersign/agent'
import { joinLabels, type Label, operatorLabel, type Requester } from '@countersign/contract'
import type { PersonFile } from './person.ts'

/** Who begins a task. */
export interface Cause {
  readonly requester: Requester
  readonly agent: string
  /** Of the work that a helper or a plan was given; null where the operator or a schedule speaks. */
  readonly work: Label | null
  /** The operator granted the calls of the plan ahead, to the byte. */
  readonly leased: boolean
}

/** As `packages/assistant/src/context/gather.ts` hands them over. */
const ofProfile: Label = { ...operatorLabel, confidentiality: 'private' }
const ofRecord: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }

const ofCause: Readonly<Record<Cause['requester']['kind'], Label>> = {
  operator: operatorLabel,
  schedule: operatorLabel,
  peer: { integrity: 'paired', confidentiality: 'private', sources: [] },
  webhook: { integrity: 'untrusted', confidentiality: 'private', sources: ['webhook'] },
}

/** Helpers and plans are told their work and nothing of the profile. */
export function labelAtStart(person: PersonFile, { requester, work }: Cause): Label {
  const { label } = composePrompt({
    base: { text: Object.values(basePrompts)[0] ?? '', label: operatorLabel },
    ...(work ? { conversation: { task: { text: 'the work', label: work } } } : installedContext(person)),
  })
  return joinLabels(ofCause[requester.kind], label)
}

function installedContext({ name, goal, memories }: PersonFile) {
  const goals = [{ id: 'goal_1', title: goal, status: 'active', label: ofRecord }]
  return {
    profile: { name, facts: [], interests: [], label: ofProfile },
    conversation: {
      goals,
      memories: memories.map((text, index) => ({ id: `mem_${index}`, type: 'fact', text, label: ofRecord })),
    },
  }
}

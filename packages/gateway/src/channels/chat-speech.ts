/**
 * Owns that a voice note is heard: the model that is chosen for transcription writes down what was said, by a call through
 * the door that is made for whoever spoke and held to their limits. Where no model is chosen, or the call would have to be
 * asked about, nothing is written down and the note stays a file.
 */
import {
  CountersignError,
  joinLabels,
  type Label,
  type OperatorId,
  operatorLabel,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { routesCollection, StoredRoute } from '../model-settings/model-choices.ts'
import { endOfCall } from './end-of-call.ts'
import { type Peer, peerId, requesterOf } from './peers.ts'

export interface ChatSpeechParts {
  readonly kernel: Pick<Kernel, 'callTool' | 'readOnly' | 'records' | 'stopRun'>
  readonly operator: OperatorId
}

export interface SpokenNote {
  /** In the workspace. */
  readonly path: string
  readonly speaker: Peer
  readonly chat: string
  /** What their words are worth; undefined for the operator's own. */
  readonly label: Label | undefined
}

/** What was said; undefined where it was not written down, empty where nothing was said. */
export type HearNote = (note: SpokenNote) => Promise<string | undefined>

const tool = 'speech_to_text'
const nothingSaid = '[Nothing was said.]'
/** A model on this computer takes about as long as whoever spoke. */
const patienceMs = 90_000

export function createChatSpeech({ kernel, operator }: ChatSpeechParts): HearNote {
  /** A call that can only fail would be one more failure in the log for every note. */
  function isModelChosen(): Promise<boolean> {
    return kernel.records.read(operator, async ({ records }) => {
      const route = StoredRoute.safeParse((await records.get(routesCollection, 'transcription'))?.data)
      return route.success && route.data.models.length > 0
    })
  }

  return async ({ path, speaker, chat, label }) => {
    if (!(await isModelChosen())) return undefined
    const by = { kind: 'gateway', id: `channel/${peerId(speaker.channel, speaker.peer)}` } as const
    const call = {
      tool,
      args: JSON.stringify({ audio: path }),
      label: label ?? operatorLabel,
      requester: requesterOf(speaker, chat),
    }
    let run: Awaited<ReturnType<Kernel['callTool']>>['run']
    try {
      run = (await kernel.callTool(operator, call, by)).run
    } catch (error) {
      // The tool is switched off, or everything is paused.
      if (error instanceof CountersignError && error.code !== 'internal') return undefined
      throw error
    }
    const end = await endOfCall(kernel, operator, run, patienceMs)
    if (end.kind === 'open') await kernel.stopRun(operator, run, by)
    if (end.kind !== 'done') return undefined
    return end.text === nothingSaid ? '' : end.text.trim()
  }
}

/** A model heard these words and nobody read them over, so they are never quite the speaker's own. */
export function labelOfSpoken(label: Label | undefined, platform: string): Label {
  const written: Label = {
    integrity: 'tool',
    confidentiality: 'public',
    sources: [`${platform}: a voice note, written down by a model`],
  }
  return joinLabels(label ?? operatorLabel, written)
}

/** An assistant for tests: every tool, the shortest prompt, and nobody to tell. Never for use outside tests. */
import { conversationLimits, type Limits, systemPrompt } from '@countersign/agent'
import { operatorLabel } from '@countersign/contract'
import type { AssistantPort } from '../runs/assistant-port.ts'

export function plainAssistant(clock: () => Date, limits: Limits = conversationLimits): AssistantPort {
  return {
    prepare: (_operator, _run, catalogue) =>
      Promise.resolve({
        system: systemPrompt({ now: clock() }),
        label: operatorLabel,
        limits,
        catalogue,
        restrict: (all) => all,
        shown: catalogue.list().flatMap(({ listed, name }) => (listed ? [name] : [])),
        historyTokens: 100_000,
        purpose: 'chat',
      }),
    ended: () => Promise.resolve(),
  }
}

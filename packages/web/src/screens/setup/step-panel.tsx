/** Which panel shows which step. */
import type { Onboarding, SetupStepId } from '@countersign/contract'
import type { ComponentType } from 'react'
import { ActionPanel } from './action-panel.tsx'
import { CheckPanel } from './check-panel.tsx'
import { KeepPanel } from './keep-panel.tsx'
import { ModelPanel } from './model-panel.tsx'
import { ReachPanel } from './reach-panel.tsx'
import { RecipesPanel } from './recipes-panel.tsx'
import { SafetyPanel } from './safety-panel.tsx'
import { YouPanel } from './you-panel.tsx'

const panels: Readonly<Record<SetupStepId, ComponentType<{ view: Onboarding }>>> = {
  check: CheckPanel,
  you: YouPanel,
  model: ModelPanel,
  safety: SafetyPanel,
  action: ActionPanel,
  reach: ReachPanel,
  keep: KeepPanel,
  recipes: RecipesPanel,
}

export function StepPanel({ view, id }: { view: Onboarding; id: SetupStepId }) {
  const Panel = panels[id]
  return <Panel view={view} />
}

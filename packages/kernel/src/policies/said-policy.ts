/** Owns reading a policy out: its rules as sentences, and what a change lets through. */
import type { Language, PolicyDocument, PolicyRuleView } from '@countersign/contract'
import { compilePolicies, sayRule } from '@countersign/policy'

/** They say how the others work, and nothing about calls. */
const silent = ['base.approval', 'base.grant', 'base.question']

/** The operator's own rules. A version of an older release may no longer compile; it then has no sentences. */
export function saidRules(document: PolicyDocument, language: Language): PolicyRuleView[] {
  return rulesIn(document, language).filter(({ file }) => !file.startsWith('bundled/'))
}

/** The rules that hold at every level, whatever the operator writes. */
export function saidBase(language: Language): string[] {
  return rulesIn({ autonomy: 'medium', files: [] }, language)
    .filter(({ id }) => id.startsWith('base.') && !silent.includes(id))
    .map(({ sentence }) => sentence)
}

function rulesIn(
  { autonomy, files }: Pick<PolicyDocument, 'autonomy' | 'files'>,
  language: Language,
): PolicyRuleView[] {
  const compiled = compilePolicies({ autonomy, files })
  if (compiled.kind === 'invalid') return []
  const rules = [...compiled.set.rules.values()]
  compiled.set.dispose()
  return rules.map((rule) => {
    const { id, file, line, why, text } = rule
    return { id, file, line, why, text, ...sayRule(rule, language) }
  })
}

export { type AskedKind, askedKinds, mayBeAskedFor, mostAsked } from './asked-for.ts'
export { askingOf } from './asking/asking.ts'
export type { AskedFacts } from './asking/cause.ts'
export * from './asking/outlook.ts'
export { type Classification, type ClassifyInput, classify, isInnerAddress } from './classify.ts'
export {
  bundledFiles,
  type CompileResult,
  compilePolicies,
  type PolicyProblem,
  type PolicyRule,
  type PolicySet,
  type PolicySources,
} from './compile.ts'
export { decide } from './decide.ts'
export { type ExplainedEvaluation, type ExplainedRule, type Explanation, explain } from './explain.ts'
export { type CallFacts, type CoveringGrant, grantableTier, isGrantable, type WorkFacts } from './facts.ts'
export * from './grants/cover.ts'
export * from './grants/granted-act.ts'
export * from './grants/offer.ts'
export * from './grants/sentence.ts'
export * from './grants/suggest.ts'
export * from './judge.ts'
export { fitQuestions, mayBeListed } from './listed-question.ts'
export { webTools } from './plain-look.ts'
export { mostQuestions, mostReaderLooks } from './reader.ts'
export * from './refusal.ts'
export * from './rule-sentence.ts'
export { schemaText } from './schema.ts'
export type { PolicyFile } from './source.ts'
export * from './task-facts.ts'
export * from './task-so-far.ts'
export * from './tightening.ts'
export { actKinds, heldBy, kindsOf, mayBeHeld } from './unasked.ts'

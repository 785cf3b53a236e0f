/** Owns the shape of what the scripted gateway answers to one question. */
export type ScriptedAnswer = (path: {
  readonly parts: readonly string[]
  readonly search: URLSearchParams
}) => unknown

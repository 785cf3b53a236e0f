/**
 * Owns what a set of rules looks at. Most of an evaluation's time goes into handing the call over, so a call is
 * handed over without what no rule reads. In doubt everything is needed; too little would deny, never allow.
 */

export interface RuleNeeds {
  /** Attributes of the context that some rule reads. */
  readonly attributes: ReadonlySet<string> | 'all'
  /** Whether some rule names a category of tools. */
  readonly categories: boolean
  /** Whether some rule names a single requester, and whether one names a single tool. */
  readonly requesters: boolean
  readonly tools: boolean
  /** Kinds of requester that some rule names. */
  readonly requesterKinds: ReadonlySet<string> | 'all'
  /** What rules that read paths or folders compare with: the places that they speak of. */
  readonly places: readonly string[]
}

/** Takes the rules as JSON texts, where no string can look like structure. */
export function ruleNeeds(rules: readonly string[]): RuleNeeds {
  const attributes = new Set<string>()
  let whole = false
  for (const rule of rules) {
    const reads = [...rule.matchAll(/\{"left":\{"Var":"context"\},"attr":"([A-Za-z]+)"\}/g)]
    for (const [, name] of reads) if (name !== undefined) attributes.add(name)
    if (rule.split('{"Var":"context"}').length - 1 !== reads.length) whole = true
  }
  return {
    attributes: whole ? 'all' : attributes,
    categories: rules.some((rule) => rule.includes('"Category"')),
    requesters: rules.some((rule) => rule.includes('"Requester"')),
    tools: rules.some((rule) => rule.includes('"Tool"')),
    requesterKinds: kindsIn(rules),
    places: placesIn(rules),
  }
}

function kindsIn(rules: readonly string[]): RuleNeeds['requesterKinds'] {
  const kinds = new Set<string>()
  for (const rule of rules) {
    const named = [...rule.matchAll(/\{"type":"RequesterKind","id":"([A-Za-z]+)"\}/g)]
    for (const [, kind] of named) if (kind !== undefined) kinds.add(kind)
    if (rule.split('"RequesterKind"').length - 1 !== named.length) return 'all'
  }
  return kinds
}

function placesIn(rules: readonly string[]): string[] {
  const texts = rules
    .filter((rule) => /"attr":"(?:paths|folders)"/.test(rule))
    .flatMap((rule) => [...rule.matchAll(/\{"Value":("(?:[^"\\]|\\.)*")\}/g)])
  return [...new Set(texts.map(([, text = '""']) => JSON.parse(text) as string))].toSorted()
}

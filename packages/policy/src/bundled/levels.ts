/** Owns the five autonomy levels as rules: what is free at each. Every level stands on the base rules. */
import type { Autonomy } from '@countersign/contract'

export const levelFiles: Readonly<Record<Autonomy, { readonly name: string; readonly text: string }>> = {
  none: {
    name: 'bundled/level-none.cedar',
    text: `// A forbid, so that neither a grant nor an operator's permit is taken for consent at this level.
@id("level.none")
@why("none: every action asks first")
forbid (principal, action == Action::"call", resource)
when { context.tier > 0 || context.reads || context.changes || context.egress }
// What a reader looks at was asked about when it was opened.
unless { context.approved || (context.reader && context.tier == 2) };
`,
  },
  low: {
    name: 'bundled/level-low.cedar',
    text: `@id("level.low")
@why("low: reads inside the workspace run without asking")
permit (principal, action == Action::"call", resource)
when { context.tier == 0 };
`,
  },
  medium: {
    name: 'bundled/level-medium.cedar',
    text: `@id("level.medium")
@why("medium: reads and undoable changes run without asking")
permit (principal, action == Action::"call", resource)
when { context.tier <= 1 };

@id("level.medium-look")
@why("medium: a plain look at the web runs without asking while nothing private is in reach")
permit (principal, action == Action::"call", resource)
when { context.look && context.tier == 2 && context.confidentiality == "public" && context.secrets.isEmpty() };

@id("level.medium-question")
@why("medium: a question in your own words, or listed from them alone, is looked up on the web without asking")
permit (principal, action == Action::"call", resource)
when { context.question && context.tier == 2 && context.confidentiality != "secret" && context.secrets.isEmpty() };
`,
  },
  high: {
    name: 'bundled/level-high.cedar',
    text: `@id("level.high")
@why("high: everything runs without asking, except what others see or what is permanent")
permit (principal, action == Action::"call", resource)
when { context.tier <= 2 };
`,
  },
  full: {
    name: 'bundled/level-full.cedar',
    text: `@id("level.full")
@why("full: everything runs without asking, except critical actions")
permit (principal, action == Action::"call", resource)
when { context.tier <= 3 };
`,
  },
}

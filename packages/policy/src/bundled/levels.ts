/** Owns the five autonomy levels as rules: what is free at each. Every level stands on the base rules. */
import type { Autonomy } from '@countersign/contract'

export const levelFiles: Readonly<Record<Autonomy, { readonly name: string; readonly text: string }>> = {
  none: {
    name: 'bundled/level-none.cedar',
    text: `// A forbid, so that neither a grant nor an operator's permit is taken for consent at this level.
@id("level.none")
@why("at autonomy none you are asked before every act")
forbid (principal, action == Action::"call", resource)
when { context.tier > 0 || context.reads || context.changes || context.egress }
unless { context.approved };
`,
  },
  low: {
    name: 'bundled/level-low.cedar',
    text: `@id("level.low")
@why("at autonomy low, looking inside what you gave is free")
permit (principal, action == Action::"call", resource)
when { context.tier == 0 };
`,
  },
  medium: {
    name: 'bundled/level-medium.cedar',
    text: `@id("level.medium")
@why("at autonomy medium, looking and changes that can be undone are free")
permit (principal, action == Action::"call", resource)
when { context.tier <= 1 };
`,
  },
  high: {
    name: 'bundled/level-high.cedar',
    text: `@id("level.high")
@why("at autonomy high, all is free but what others see or what is hard to undo")
permit (principal, action == Action::"call", resource)
when { context.tier <= 2 };
`,
  },
  full: {
    name: 'bundled/level-full.cedar',
    text: `@id("level.full")
@why("at autonomy full, all is free but what is critical")
permit (principal, action == Action::"call", resource)
when { context.tier <= 3 };
`,
  },
}

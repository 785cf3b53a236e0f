/** Owns the colours of series. Colour carries meaning only, so series without one are shades of the one action colour. */
export type Shade = string

const steps = [100, 68, 46, 30, 18] as const

/** The shade of the n-th series; from the sixth on, they look the same and the words tell them apart. */
export function shadeOf(index: number): Shade {
  const share = steps[Math.min(index, steps.length - 1)] ?? 18
  return `color-mix(in oklab, var(--act) ${share}%, var(--sheet))`
}

export const restShade: Shade = 'var(--line-strong)'
export const tierShade = (tier: number): Shade => `var(--t${Math.min(4, Math.max(0, tier))})`

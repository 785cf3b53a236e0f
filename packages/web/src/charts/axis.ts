/** Owns where things stand on a chart: the scale of values from zero, the bands of moments, and which labels fit. */
import { scaleBand, scaleLinear } from 'd3-scale'
import { height } from './size.ts'

export const margin = { top: 12, end: 8, bottom: 22, start: 52 } as const

export interface ValueScale {
  readonly y: (value: number) => number
  readonly ticks: readonly number[]
}

/**
 * From zero to a round number above the highest value. Without a value there is still a scale, and one tick. What is
 * counted has no tick between two whole numbers.
 */
export function valueScale(most: number, isCounted = false): ValueScale {
  const scale = scaleLinear()
    .domain([0, most > 0 ? most : 1])
    .range([height - margin.bottom, margin.top])
    .nice(4)
  const ticks = most > 0 ? scale.ticks(4) : [0]
  return { y: (value) => scale(value), ticks: isCounted ? ticks.filter(Number.isInteger) : ticks }
}

export interface Bands {
  readonly x: (index: number) => number
  readonly width: number
  readonly at: (x: number) => number
}

export function bands(count: number, width: number): Bands {
  const scale = scaleBand<number>()
    .domain(Array.from({ length: count }, (_, index) => index))
    .range([margin.start, Math.max(margin.start + 1, width - margin.end)])
    .paddingInner(0.25)
    .paddingOuter(0.1)
  const step = scale.step()
  const first = scale(0) ?? margin.start
  return {
    x: (index) => scale(index) ?? margin.start,
    width: Math.min(scale.bandwidth(), 48),
    at: (x) => Math.min(count - 1, Math.max(0, Math.floor((x - first + step * 0.125) / step))),
  }
}

/** Every how many-th label is written, so that they do not touch. */
export function labelStep(count: number, width: number, labelWidth = 56): number {
  const room = Math.max(1, Math.floor((width - margin.start - margin.end) / labelWidth))
  return Math.max(1, Math.ceil(count / room))
}

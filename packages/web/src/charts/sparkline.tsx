/** Draws a few values as a line as high as its text. The words beside it are for readers. */
export function Sparkline({
  values,
  label,
  width = 72,
  height = 18,
}: {
  values: readonly number[]
  label: string
  width?: number
  height?: number
}) {
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="inline-block align-middle">
      <title>{label}</title>
      <polyline
        points={sparkPoints(values, width, height)}
        fill="none"
        strokeWidth={1.5}
        strokeLinejoin="round"
        className="stroke-act"
      />
    </svg>
  )
}

/** From the start edge to the end edge; zero is at the bottom. */
export function sparkPoints(values: readonly number[], width: number, height: number): string {
  const most = Math.max(...values, 0)
  const step = values.length > 1 ? (width - 2) / (values.length - 1) : 0
  return values
    .map((value, index) => {
      const y = most === 0 ? height - 2 : height - 2 - (value / most) * (height - 4)
      return `${round(1 + index * step)},${round(y)}`
    })
    .join(' ')
}

const round = (value: number): number => Math.round(value * 10) / 10

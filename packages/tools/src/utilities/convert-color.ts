/** Writes a colour in its other forms. */
import { z } from 'zod'
import { answer, brief, computing, refuse } from './computing.ts'

export const convertColor = computing({
  name: 'convert_color',
  version: '1',
  description: 'Convert a colour given as hex, rgb() or hsl() to all three forms.',
  group: 'conversion',
  tags: ['colour', 'hex', 'rgb', 'hsl', 'css', 'palette', 'design', 'hex code'],
  input: z.strictObject({ color: z.string().min(1).max(60) }),
  describe: ({ color }) => `Forms of the colour ${brief(color, 30)}`,
  compute({ color }) {
    const rgb = readColor(color.trim().toLowerCase())
    if (!rgb)
      return refuse(
        `${brief(color)} is not a colour. Write it as #3366ff, rgb(51, 102, 255) or hsl(225, 100%, 60%).`,
      )
    const [red, green, blue] = rgb
    const [hue, saturation, lightness] = toHsl(rgb)
    return answer({
      hex: `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
      rgb: `rgb(${red}, ${green}, ${blue})`,
      hsl: `hsl(${hue}, ${saturation}%, ${lightness}%)`,
    })
  },
})

type Triple = [number, number, number]

function readColor(color: string): Triple | undefined {
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(color)?.[1]
  if (hex !== undefined) {
    const full = hex.length === 3 ? Array.from(hex, (digit) => digit + digit).join('') : hex
    return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Triple
  }
  const [, model, ...parts] =
    /^(rgb|hsl)\(\s*(\d{1,3})(?:deg)?[\s,]+(\d{1,3})%?[\s,]+(\d{1,3})%?\s*\)$/.exec(color) ?? []
  const [first = 0, second = 0, third = 0] = parts.map(Number)
  if (model === 'rgb' && Math.max(first, second, third) <= 255) return [first, second, third]
  if (model === 'hsl' && first <= 360 && Math.max(second, third) <= 100) return fromHsl(first, second, third)
  return undefined
}

function fromHsl(hue: number, saturation: number, lightness: number): Triple {
  const light = lightness / 100
  const reach = (saturation / 100) * Math.min(light, 1 - light)
  return [0, 8, 4].map((offset) => {
    const turn = (offset + hue / 30) % 12
    return Math.round(255 * (light - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))))
  }) as Triple
}

function toHsl(rgb: Triple): Triple {
  const [red, green, blue] = rgb.map((part) => part / 255) as Triple
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const [lightness, spread] = [(most + least) / 2, most - least]
  if (spread === 0) return [0, 0, Math.round(lightness * 100)]
  const turn =
    most === red
      ? ((green - blue) / spread + 6) % 6
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4
  const saturation = spread / (1 - Math.abs(2 * lightness - 1))
  return [Math.round(turn * 60), Math.round(saturation * 100), Math.round(lightness * 100)]
}

/** Asks a public service for the weather. Its manifest names the host; the sandbox lets it reach no other. */
import { pluginTool, z } from 'countersign/tools'

const Answer = z.object({
  current: z.object({ temperature_2m: z.number(), wind_speed_10m: z.number(), precipitation: z.number() }),
})

export default [
  pluginTool({
    name: 'weather_now',
    description: 'Say the weather at a place now: temperature, wind and rain.',
    input: z.strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    }),
    // It asks a host, and tells it where.
    tier: 2,
    example: { latitude: 52.52, longitude: 13.41 },
    async run({ latitude, longitude }, { signal }) {
      const url = new URL('https://api.open-meteo.com/v1/forecast')
      url.searchParams.set('latitude', String(latitude))
      url.searchParams.set('longitude', String(longitude))
      url.searchParams.set('current', 'temperature_2m,wind_speed_10m,precipitation')
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(`The weather service answered ${response.status}. Try again later.`)
      return weatherWords(await response.json())
    },
  }),
]

export function weatherWords(answer: unknown): string {
  const { current } = Answer.parse(answer)
  const rain = current.precipitation === 0 ? 'no rain' : `${current.precipitation} mm of rain`
  return `${current.temperature_2m} °C, wind ${current.wind_speed_10m} km/h, ${rain}`
}

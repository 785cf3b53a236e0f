/** Tells the weather at a place now, in checked numbers and our own words. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { succeeded } from '../result.ts'
import { webRate } from '../web/answer-limits.ts'
import { conditionOf, directionOf } from './conditions.ts'
import {
  figure,
  findPlace,
  forecastUrl,
  localTime,
  placeWords,
  rain,
  request,
  temperature,
  told,
  unitsOf,
  type WeatherAsked,
  weatherCode,
  weatherEffects,
  weatherInput,
  weatherLabel,
  weatherSecrets,
  weatherServiceKeys,
  wind,
} from './service.ts'

const Current = z.object({
  current: z.object({
    time: localTime,
    temperature_2m: temperature,
    apparent_temperature: temperature,
    relative_humidity_2m: figure(0, 100),
    precipitation: rain,
    weather_code: weatherCode,
    wind_speed_10m: wind,
    wind_direction_10m: figure(0, 360),
  }),
})

export const getWeather = defineTool<WeatherAsked>({
  name: 'get_weather',
  version: '1',
  description: 'Get the weather at a place now.',
  input: z.strictObject(weatherInput) as unknown as z.ZodType<WeatherAsked>,
  category: 'weather',
  group: 'weather',
  tags: [
    'temperature',
    'rain',
    'wind',
    'outside',
    'cold',
    'warm',
    'sunny',
    'snow',
    'humidity',
    'degrees',
    'umbrella',
  ],
  effect: 'pure',
  floor: 2,
  rate: webRate,
  output: weatherLabel,
  runs: 'executor',
  sandbox: 'none',
  egress: 'checked',
  secrets: weatherSecrets,
  serviceKeys: weatherServiceKeys,
  describe: ({ location, country }) => `Get the weather in ${[location, country].filter(Boolean).join(', ')}`,
  preview: ({ location, country, endpoint }) => ({
    kind: 'text',
    title: 'The place, which leaves this computer',
    text: [location, country, endpoint].filter((part) => part !== undefined).join('\n'),
  }),
  effects: async (asked, inspect) => weatherEffects(asked, inspect),
  async run(asked, capabilities, signal) {
    const place = await findPlace(asked, capabilities, signal)
    if (place.kind === 'ended') return place.end
    const url = forecastUrl(asked, place.value, {
      current: Object.keys(Current.shape.current.shape).slice(1).join(','),
    })
    const answer = await request(url, Current, asked, { capabilities, signal })
    if (answer.kind === 'ended') return answer.end
    const { current } = answer.value
    const unit = unitsOf(asked)
    const now = `${conditionOf(current.weather_code)}, ${told(current.temperature_2m)} ${unit.temperature}`
    const text = [
      `${placeWords(asked, place.value)}, ${current.time.replace('T', ' ')} there: ${now}`,
      `feels like ${told(current.apparent_temperature)} ${unit.temperature}`,
      `humidity ${told(current.relative_humidity_2m)} %`,
      `precipitation ${told(current.precipitation)} ${unit.rain}`,
      `wind ${told(current.wind_speed_10m)} ${unit.wind} from ${directionOf(current.wind_direction_10m)}`,
    ].join(', ')
    return succeeded(`${text}.`, now)
  },
})

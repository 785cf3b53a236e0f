/** Tells the weather of the coming days at a place, in checked numbers and our own words. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { succeeded } from '../result.ts'
import { webRate } from '../web/answer-limits.ts'
import { conditionOf } from './conditions.ts'
import {
  figure,
  findPlace,
  forecastUrl,
  localDay,
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

const most = 16
const list = <Value extends z.ZodType>(value: Value) => z.array(value).min(1).max(most)

const Daily = z
  .object({
    daily: z.object({
      time: list(localDay),
      weather_code: list(weatherCode),
      temperature_2m_max: list(temperature),
      temperature_2m_min: list(temperature),
      precipitation_sum: list(rain),
      // Far ahead there is none.
      precipitation_probability_max: list(figure(0, 100).nullable()),
      wind_speed_10m_max: list(wind),
      sunrise: list(localTime),
      sunset: list(localTime),
    }),
  })
  .refine(({ daily }) => new Set(Object.values(daily).map(({ length }) => length)).size === 1)

type ForecastAsked = WeatherAsked & { readonly days: number }

export const getWeatherForecast = defineTool<ForecastAsked>({
  name: 'get_weather_forecast',
  version: '1',
  description: 'Get the weather forecast for a place, for today and the coming days.',
  input: z.strictObject({
    ...weatherInput,
    days: z.int().min(1).max(most).default(5),
  }) as unknown as z.ZodType<ForecastAsked>,
  category: 'weather',
  group: 'weather',
  tags: [
    'tomorrow',
    'weekend',
    'rain',
    'next days',
    'week ahead',
    'temperature',
    'snow',
    'storm',
    'sunrise',
    'sunset',
    'sunny',
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
  describe: ({ location, country, days }) =>
    `Get the forecast of ${days} days for ${[location, country].filter(Boolean).join(', ')}`,
  preview: ({ location, country, endpoint }) => ({
    kind: 'text',
    title: 'The place, which leaves this computer',
    text: [location, country, endpoint].filter((part) => part !== undefined).join('\n'),
  }),
  effects: async (asked, inspect) => weatherEffects(asked, inspect),
  async run(asked, capabilities, signal) {
    const place = await findPlace(asked, capabilities, signal)
    if (place.kind === 'ended') return place.end
    const wanted = Object.keys(Daily.shape.daily.shape).slice(1).join(',')
    const url = forecastUrl(asked, place.value, { daily: wanted, forecast_days: String(asked.days) })
    const answer = await request(url, Daily, asked, { capabilities, signal })
    if (answer.kind === 'ended') return answer.end
    const { daily } = answer.value
    const unit = unitsOf(asked)
    const days = daily.time.slice(0, asked.days).map((day, at) => {
      const chance = daily.precipitation_probability_max[at] ?? null
      return [
        `${day}: ${conditionOf(daily.weather_code[at] ?? 0)}`,
        `${told(daily.temperature_2m_min[at] ?? 0)} to ${told(daily.temperature_2m_max[at] ?? 0)} ${unit.temperature}`,
        `precipitation ${told(daily.precipitation_sum[at] ?? 0)} ${unit.rain}${chance === null ? '' : ` (${told(chance)} %)`}`,
        `wind up to ${told(daily.wind_speed_10m_max[at] ?? 0)} ${unit.wind}`,
        `sun ${daily.sunrise[at]?.slice(11)} to ${daily.sunset[at]?.slice(11)}`,
      ].join(', ')
    })
    return succeeded(
      `${placeWords(asked, place.value)}:\n${days.join('\n')}`,
      `Forecast of ${days.length} ${days.length === 1 ? 'day' : 'days'}`,
    )
  },
})

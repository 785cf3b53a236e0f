import type { ToolDefinition } from '../definition.ts'
import { getWeather } from './get-weather.ts'
import { getWeatherForecast } from './get-weather-forecast.ts'

export const weatherTools: readonly ToolDefinition[] = [getWeather, getWeatherForecast]

/**
 * Owns how the weather service is asked (Open-Meteo, or one that speaks as it does) and how its answers are read. Numbers
 * in their bounds, days, times and codes that we have words for come through, and nothing else: no text of the service
 * is told to anybody, so what is told is worth as much as our own words.
 */
import { isDay, type Label, secretHandle, type ToolResult } from '@countersign/contract'
import { z } from 'zod'
import type { ToolCapabilities } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { failed, textOf } from '../result.ts'
import { nameText } from '../text.ts'
import { answerLimits } from '../web/answer-limits.ts'
import { urlEffect } from '../web/url-effect.ts'
import { conditionOf } from './conditions.ts'

export const weatherInput = {
  location: nameText(120).describe('A town or a postcode, or latitude,longitude'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'two letters, as DE')
    .exactOptional()
    .describe('Two letters, as DE, where several places have the name'),
  units: z.enum(['metric', 'imperial']).default('metric'),
  plan: z.enum(['free', 'customer']).default('free').describe('customer uses the key open_meteo'),
  endpoint: nameText(2048).exactOptional().describe('Address of a service of your own'),
}

export type WeatherAsked = {
  readonly location: string
  readonly country?: string
  readonly units: 'metric' | 'imperial'
  readonly plan: 'free' | 'customer'
  readonly endpoint?: string
}

const keyName = 'open_meteo'
const hosts = {
  free: { places: 'https://geocoding-api.open-meteo.com', weather: 'https://api.open-meteo.com' },
  customer: {
    places: 'https://customer-geocoding-api.open-meteo.com',
    weather: 'https://customer-api.open-meteo.com',
  },
} as const

/** Only checked values, so no word of a stranger's is in it. */
export const weatherLabel: Label = { integrity: 'tool', confidentiality: 'public', sources: [] }
/** What went wrong on the way may be told in words of the other side. */
const strange: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['weather'] }

export function weatherSecrets({ plan }: Pick<WeatherAsked, 'plan'>): string[] {
  return plan === 'customer' ? [keyName] : []
}

export function weatherServiceKeys({ plan, endpoint }: WeatherAsked): string[] {
  return endpoint === undefined ? weatherSecrets({ plan }) : []
}

/** Nothing where the place is said by its coordinates. */
export function placesUrl(asked: WeatherAsked): string | undefined {
  if (coordinatesIn(asked.location)) return undefined
  const { location, country } = asked
  return addressOf(asked, 'places', '/v1/search', {
    name: location,
    count: '1',
    language: 'en',
    format: 'json',
    ...(country === undefined ? {} : { countryCode: country }),
  })
}

export function forecastUrl(
  asked: WeatherAsked,
  { latitude, longitude }: Coordinates,
  wanted: Readonly<Record<string, string>>,
): string {
  return addressOf(asked, 'weather', '/v1/forecast', {
    latitude: latitude.toFixed(2),
    longitude: longitude.toFixed(2),
    timezone: 'auto',
    ...(asked.units === 'imperial'
      ? { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', precipitation_unit: 'inch' }
      : {}),
    ...wanted,
  })
}

/** The name of the place goes to the one host and where it is to the other. */
export function weatherEffects(asked: WeatherAsked, inspect: Inspector): EffectsResult {
  const secrets = weatherSecrets(asked).map((name) => `the secret ${name}`)
  const uses = [
    { url: placesUrl(asked), leaves: ['the name of the place', ...secrets] },
    { url: forecastUrl(asked, nowhere, {}), leaves: ['where the place is', ...secrets] },
  ]
  const found: Extract<EffectsResult, { kind: 'found' }>[] = []
  for (const { url, leaves } of uses) {
    if (url === undefined) continue
    if (URL.parse(url) === null) return { kind: 'invalid', reason: 'The endpoint is no address.' }
    const use = {
      url,
      method: 'GET',
      redirects: 'refused',
      carries: 'address',
      verb: 'fetch',
      leaves,
    } as const
    const effect = urlEffect(use, inspect)
    if (effect.kind !== 'found') return effect
    found.push(effect)
  }
  const resources = found.flatMap((each) => each.resources)
  const known = new Map(resources.map((resource) => [JSON.stringify(resource), resource]))
  return { kind: 'found', resources: [...known.values()], effects: found.flatMap((each) => each.effects) }
}

export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

export interface Place extends Coordinates {
  /** In our own words; empty where it is not known. */
  readonly country: string
}

type Answer<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'ended'; readonly end: ToolResult }

export async function findPlace(
  asked: WeatherAsked,
  capabilities: ToolCapabilities,
  signal: AbortSignal,
): Promise<Answer<Place>> {
  const said = coordinatesIn(asked.location)
  if (said) return { kind: 'value', value: { ...said, country: '' } }
  const answer = await request(placesUrl(asked) ?? '', Places, asked, { capabilities, signal })
  if (answer.kind === 'ended') return answer
  const [first] = answer.value.results
  if (!first)
    return ended(
      `The weather service knows no place of this name. Try the nearest town, or give latitude,longitude.`,
    )
  const { latitude, longitude, country_code: country } = first
  return { kind: 'value', value: { latitude, longitude, country: countryName(country) } }
}

/** The answer where all of it is what it should be; an end without a word of it otherwise. */
export async function request<Value>(
  url: string,
  shape: z.ZodType<Value>,
  asked: WeatherAsked,
  { capabilities, signal }: { readonly capabilities: ToolCapabilities; readonly signal: AbortSignal },
): Promise<Answer<Value>> {
  const headers = { accept: 'application/json' }
  const response = await capabilities.web.request({
    url,
    method: 'GET',
    headers,
    body: '',
    ...answerLimits,
    signal,
  })
  if (response.kind === 'failed')
    return { kind: 'ended', end: { ...failed(response.reason), label: strange } }
  if (response.status !== 200) return ended(refusal(asked, response.status))
  const parsed = shape.safeParse(jsonOf(textOf(response.body)))
  if (!parsed.success) return ended('The weather service gave an answer that is no weather.')
  return { kind: 'value', value: parsed.data }
}

/** A number that fits what it measures. */
export const figure = (least: number, most: number) => z.number().min(least).max(most)
export const temperature = figure(-150, 200)
export const wind = figure(0, 500)
export const rain = figure(0, 5_000)
export const weatherCode = z.int().refine((code) => conditionOf(code) !== undefined)
export const localTime = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/.test(text) && isDay(text.slice(0, 10)))
export const localDay = z.string().refine(isDay)

export function placeWords(asked: WeatherAsked, { latitude, longitude, country }: Place): string {
  const at = `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`
  return coordinatesIn(asked.location)
    ? at
    : `${asked.location}${country === '' ? '' : ` (${country})`} at ${at}`
}

export function unitsOf({ units }: WeatherAsked) {
  return units === 'metric'
    ? { temperature: '°C', wind: 'km/h', rain: 'mm' }
    : { temperature: '°F', wind: 'mph', rain: 'inch' }
}

/** As few figures as people want. */
export function told(value: number): string {
  return String(Math.round(value * 10) / 10)
}

const Places = z.object({
  results: z
    .array(
      z.object({
        latitude: figure(-90, 90),
        longitude: figure(-180, 180),
        country_code: z.string().optional(),
      }),
    )
    .default([]),
})

const nowhere: Coordinates = { latitude: 0, longitude: 0 }

function coordinatesIn(location: string): Coordinates | undefined {
  const [, one, other] = /^(-?\d{1,2}(?:\.\d+)?),\s?(-?\d{1,3}(?:\.\d+)?)$/.exec(location) ?? []
  if (one === undefined || other === undefined) return undefined
  const [latitude, longitude] = [Number(one), Number(other)]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

/** The words are encoded, so that a handle among them stays a word. */
function addressOf(
  { plan, endpoint }: WeatherAsked,
  service: 'places' | 'weather',
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const base = endpoint?.replace(/\/+$/, '') ?? hosts[plan][service]
  const key = plan === 'customer' ? `&apikey=${secretHandle(keyName)}` : ''
  return `${base}${path}?${new URLSearchParams(query).toString()}${key}`
}

function countryName(code: string | undefined): string {
  if (code === undefined || !/^[A-Z]{2}$/.test(code)) return ''
  const name = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code)
  return name ?? ''
}

function refusal({ plan }: WeatherAsked, status: number): string {
  if (status === 429)
    return 'The weather service allows no more requests for now (status 429). Try again later.'
  if ((status === 401 || status === 403) && plan === 'customer')
    return `The weather service does not accept the key (status ${status}). To give another: countersign secret set ${keyName} --host customer-api.open-meteo.com customer-geocoding-api.open-meteo.com`
  return `The weather service answered with status ${status}.`
}

function ended(reason: string): Answer<never> {
  return { kind: 'ended', end: failed(reason) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON is one of the shapes that are no weather.
    return undefined
  }
}

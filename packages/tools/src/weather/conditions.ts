/** Owns our own words for what a weather service says in numbers: WMO codes and directions. */

export function conditionOf(code: number): string | undefined {
  return conditions.get(code)
}

/** The WMO code of present weather, as far as forecasts use it. */
const conditions: ReadonlyMap<number, string> = new Map([
  [0, 'clear sky'],
  [1, 'mainly clear'],
  [2, 'partly cloudy'],
  [3, 'overcast'],
  [45, 'fog'],
  [48, 'fog with rime'],
  [51, 'light drizzle'],
  [53, 'drizzle'],
  [55, 'heavy drizzle'],
  [56, 'light freezing drizzle'],
  [57, 'freezing drizzle'],
  [61, 'light rain'],
  [63, 'rain'],
  [65, 'heavy rain'],
  [66, 'light freezing rain'],
  [67, 'freezing rain'],
  [71, 'light snow'],
  [73, 'snow'],
  [75, 'heavy snow'],
  [77, 'snow grains'],
  [80, 'light showers'],
  [81, 'showers'],
  [82, 'violent showers'],
  [85, 'light snow showers'],
  [86, 'heavy snow showers'],
  [95, 'thunderstorm'],
  [96, 'thunderstorm with hail'],
  [99, 'thunderstorm with heavy hail'],
])

const points = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const

/** Where the wind comes from. */
export function directionOf(degrees: number): string {
  return points[Math.round(degrees / 45) % points.length] ?? 'N'
}

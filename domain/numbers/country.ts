import * as v from 'valibot'
import { DESTINATIONS } from './destinations.ts'

/** The code of a country that money can be sent to. */
export const countryCodeSchema = v.picklist(DESTINATIONS.map(({ code }) => code))

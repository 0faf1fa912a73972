import * as v from 'valibot'
import { DESTINATIONS } from './destinations.ts'

export const countryCodeSchema = v.picklist(DESTINATIONS.map(({ code }) => code))

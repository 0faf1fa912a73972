/** In milliseconds. A dead network may neither answer nor fail. */
const NETWORK_WITHIN = 8_000

export const fetchOrElse = (request: Request, otherwise: () => Promise<Response>): Promise<Response> =>
  Promise.race([fetch(request), new Promise<never>((_, reject) => setTimeout(reject, NETWORK_WITHIN))]).catch(
    otherwise,
  )

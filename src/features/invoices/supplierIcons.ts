import { createIcon } from '../../ui/icons/createIcon.tsx'

export const ElectricityIcon = /* @__PURE__ */ createIcon('M13 3 5.5 13.5h5L10 21l8-11h-5.5z')
export const WaterIcon = /* @__PURE__ */ createIcon(
  'M12 3.5c3.5 4 5.5 7 5.5 10a5.5 5.5 0 0 1-11 0c0-3 2-6 5.5-10z',
)
export const MobileIcon = /* @__PURE__ */ createIcon(
  'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
)
export const InternetIcon = /* @__PURE__ */ createIcon(
  'M3.5 9.5a13 13 0 0 1 17 0M6.5 13a8.5 8.5 0 0 1 11 0M9.5 16.3a4 4 0 0 1 5 0M12 19.5v.1',
)
export const SchoolIcon = /* @__PURE__ */ createIcon(
  'M12 5 2.5 9.5 12 14l9.5-4.5zM6 11.5V16c2 2 10 2 12 0v-4.5M21.5 9.5V15',
)

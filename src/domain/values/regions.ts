/** ISO 3166-1 alpha-2 codes by the currency of the place; a currency's first region is the one it stands for. */
const regionsByCurrency: Readonly<Record<string, string>> = {
  AED: 'AE',
  ARS: 'AR',
  BDT: 'BD',
  BRL: 'BR',
  BWP: 'BW',
  CAD: 'CA',
  CNY: 'CN',
  COP: 'CO',
  DKK: 'DK FO GL',
  EGP: 'EG',
  EUR: 'DE AD AT AX BE BG BL CY EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT',
  GBP: 'GB GG GS IM JE',
  GHS: 'GH',
  GTQ: 'GT',
  HKD: 'HK',
  HTG: 'HT',
  IDR: 'ID',
  INR: 'IN',
  JMD: 'JM',
  KES: 'KE',
  MWK: 'MW',
  MXN: 'MX',
  MYR: 'MY',
  NGN: 'NG',
  PHP: 'PH',
  PKR: 'PK',
  RWF: 'RW',
  SGD: 'SG',
  THB: 'TH',
  TZS: 'TZ',
  UGX: 'UG',
  USD: 'US AS BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI',
  VND: 'VN',
  XAF: 'CM CF CG GA GQ TD',
  XOF: 'SN BF BJ CI GW ML NE TG',
  ZAR: 'ZA',
  ZMW: 'ZM',
};

/** The rest of ISO 3166-1, whose currencies the service does not know. */
const otherRegions =
  'AF AG AI AL AM AO AQ AU AW AZ BA BB BH BI BM BN BO BS BT BV BY BZ CC CD CH CK CL CR CU CV CW CX CZ DJ DM DO DZ ' +
  'EH ER ET FJ FK GD GE GI GM GN GY HM HN HU IL IQ IR IS JO JP KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS ' +
  'LY MA MD MG MK MM MN MO MR MS MU MV MZ NA NC NF NI NO NP NR NU NZ OM PA PE PF PG PL PN PS PY QA RO RS RU SA SB ' +
  'SC SD SE SH SJ SK SL SO SR SS ST SX SY SZ TJ TK TM TN TO TR TT TV TW UA UY UZ VC VE VU WF WS YE ZW';

/** Every ISO 3166-1 country code with the currency of the place, where the service knows that currency. */
export const regions: ReadonlyMap<string, string | undefined> = new Map<string, string | undefined>([
  ...otherRegions.split(' ').map((region) => [region, undefined] as const),
  ...Object.entries(regionsByCurrency).flatMap(([currency, codes]) =>
    codes.split(' ').map((region) => [region, currency] as const),
  ),
]);

export const isCountryCode = (code: string): boolean => regions.has(code);

export const currencyOfRegion = (region: string): string | undefined => regions.get(region);

/**
 * The region that a currency implies for a customer who names none: the first of those that use it, so USD gives US,
 * EUR gives DE, XOF gives SN and XAF gives CM. A cryptocurrency implies none.
 */
export const regionOfCurrency = (currency: string): string | undefined =>
  regionsByCurrency[currency]?.split(' ').at(0);

/**
 * The rules of `pain.001` for the elements that Daybook writes, as a schema: names, order, lengths, patterns and code
 * lists are those that ISO 20022 publishes for the version, and fractions and bounds of amounts those of SEPA. A file that
 * is valid here is valid by the published schema.
 */
import { namespaceOf, type OrderVersion } from '../messages/pain-001.ts';

/** Where the two versions differ. */
const parts: Readonly<
  Record<OrderVersion, { readonly bic: string; readonly bicPattern: string; readonly day: string }>
> = {
  'pain.001.001.09': {
    bic: 'BICFI',
    bicPattern: '[A-Z0-9]{4,4}[A-Z]{2,2}[A-Z0-9]{2,2}([A-Z0-9]{3,3}){0,1}',
    day: '<xs:complexType><xs:sequence><xs:element name="Dt" type="xs:date"/></xs:sequence></xs:complexType>',
  },
  'pain.001.001.03': {
    bic: 'BIC',
    bicPattern: '[A-Z]{6,6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3,3}){0,1}',
    day: '<xs:simpleType><xs:restriction base="xs:date"/></xs:simpleType>',
  },
};

/** A simple type with a pattern, or with bounds of its length. */
const matching = (name: string, pattern: string) =>
  `<xs:simpleType name="${name}"><xs:restriction base="xs:string"><xs:pattern value="${pattern}"/></xs:restriction></xs:simpleType>`;
const bankText = (name: string, longest: number) =>
  `<xs:simpleType name="${name}"><xs:restriction base="xs:string"><xs:minLength value="1"/><xs:maxLength value="${longest}"/><xs:pattern value="[A-Za-z0-9/\\-?:().,'+ ]+"/></xs:restriction></xs:simpleType>`;
const oneOf = (name: string, ...values: readonly string[]) =>
  `<xs:simpleType name="${name}"><xs:restriction base="xs:string">${values.map((value) => `<xs:enumeration value="${value}"/>`).join('')}</xs:restriction></xs:simpleType>`;

const simpleTypes = (bicPattern: string) => [
  bankText('Max35Text', 35),
  bankText('Max70Text', 70),
  bankText('Max140Text', 140),
  matching('Max15NumericText', '[0-9]{1,15}'),
  matching('IBAN2007Identifier', '[A-Z]{2,2}[0-9]{2,2}[a-zA-Z0-9]{1,30}'),
  matching('BICIdentifier', bicPattern),
  matching('SortCode', '[0-9]{6,6}'),
  matching('AccountNumber', '[0-9]{8,8}'),
  matching('ServiceLevelCode', '[A-Z0-9]{1,4}'),
  oneOf('Currency', 'EUR', 'GBP'),
  oneOf('ChargeBearer', 'SLEV', 'SHAR'),
  '<xs:simpleType name="Total"><xs:restriction base="xs:decimal"><xs:totalDigits value="18"/><xs:fractionDigits value="2"/></xs:restriction></xs:simpleType>',
  '<xs:simpleType name="AmountNumber"><xs:restriction base="xs:decimal"><xs:minInclusive value="0.01"/><xs:maxInclusive value="999999999.99"/><xs:totalDigits value="18"/><xs:fractionDigits value="2"/></xs:restriction></xs:simpleType>',
];

const element = (name: string, type: string, occurs = '') =>
  `<xs:element name="${name}" type="${type}"${occurs}/>`;
const sequence = (name: string, ...elements: readonly string[]) =>
  `<xs:complexType name="${name}"><xs:sequence>${elements.join('')}</xs:sequence></xs:complexType>`;
const inline = (name: string, occurs: string, ...elements: readonly string[]) =>
  `<xs:element name="${name}"${occurs}><xs:complexType><xs:sequence>${elements.join('')}</xs:sequence></xs:complexType></xs:element>`;
const choice = (...elements: readonly string[]) => `<xs:choice>${elements.join('')}</xs:choice>`;
const optional = ' minOccurs="0"';
const many = ' maxOccurs="unbounded"';

const totals = [element('NbOfTxs', 'Max15NumericText'), element('CtrlSum', 'Total')];
const party = (name: string) => inline(name, '', element('Nm', 'Max70Text'));

const complexTypes = (bic: string, day: string) => [
  sequence(
    'GroupHeader',
    element('MsgId', 'Max35Text'),
    element('CreDtTm', 'xs:dateTime'),
    ...totals,
    party('InitgPty'),
  ),
  sequence(
    'PaymentInstruction',
    element('PmtInfId', 'Max35Text'),
    '<xs:element name="PmtMtd" fixed="TRF" type="xs:string"/>',
    element('BtchBookg', 'xs:boolean'),
    ...totals,
    inline(
      'PmtTpInf',
      optional,
      inline('SvcLvl', optional, element('Cd', 'ServiceLevelCode')),
      inline('LclInstrm', optional, '<xs:element name="Cd" fixed="INST" type="xs:string"/>'),
    ),
    `<xs:element name="ReqdExctnDt">${day}</xs:element>`,
    party('Dbtr'),
    inline(
      'DbtrAcct',
      '',
      inline('Id', '', element('IBAN', 'IBAN2007Identifier')),
      element('Ccy', 'Currency'),
    ),
    inline('DbtrAgt', '', element('FinInstnId', 'Agent')),
    element('ChrgBr', 'ChargeBearer'),
    element('CdtTrfTxInf', 'CreditTransfer', many),
  ),
  sequence(
    'CreditTransfer',
    inline('PmtId', '', element('InstrId', 'Max35Text'), element('EndToEndId', 'Max35Text')),
    inline('Amt', '', element('InstdAmt', 'Amount')),
    inline('CdtrAgt', optional, element('FinInstnId', 'Agent')),
    party('Cdtr'),
    inline(
      'CdtrAcct',
      '',
      inline('Id', '', choice(element('IBAN', 'IBAN2007Identifier'), element('Othr', 'BasicAccount'))),
    ),
    inline('RmtInf', '', element('Ustrd', 'Max140Text')),
  ),
  sequence(
    'BasicAccount',
    element('Id', 'AccountNumber'),
    inline('SchmeNm', '', '<xs:element name="Cd" fixed="BBAN" type="xs:string"/>'),
  ),
  sequence(
    'Agent',
    choice(
      element(bic, 'BICIdentifier'),
      inline(
        'ClrSysMmbId',
        '',
        inline('ClrSysId', '', '<xs:element name="Cd" fixed="GBDSC" type="xs:string"/>'),
        element('MmbId', 'SortCode'),
      ),
      inline('Othr', '', '<xs:element name="Id" fixed="NOTPROVIDED" type="xs:string"/>'),
    ),
  ),
  '<xs:complexType name="Amount"><xs:simpleContent><xs:extension base="AmountNumber"><xs:attribute name="Ccy" type="Currency" use="required"/></xs:extension></xs:simpleContent></xs:complexType>',
];

/** The text of the schema. */
export function orderSchema(version: OrderVersion): string {
  const { bic, bicPattern, day } = parts[version];
  const namespace = namespaceOf(version);
  const initiation = inline(
    'CstmrCdtTrfInitn',
    '',
    element('GrpHdr', 'GroupHeader'),
    element('PmtInf', 'PaymentInstruction'),
  );
  return [
    `<xs:schema xmlns="${namespace}" xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" elementFormDefault="qualified">`,
    inline('Document', '', initiation),
    ...complexTypes(bic, day),
    ...simpleTypes(bicPattern),
    '</xs:schema>',
  ].join('\n');
}

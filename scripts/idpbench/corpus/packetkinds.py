"""The 14 kinds of business papers that packets are made of: what each is called, which labels and columns it shows.

Five of them (invoice, credit note, purchase order, order confirmation, quotation) share their table; titles vary, and
the prose of letters and memos names papers that they are not.
"""

from __future__ import annotations

from dataclasses import dataclass

ITEMS = "Line Items"


@dataclass(frozen=True, slots=True)
class Field:
    """A labelled value: the property's name, what makes its value, and the labels of which one is printed."""

    name: str
    maker: str  # code:PREFIX | date | person | company | email | phone | money | total | hours | one of several texts
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: `name` is its class; `titles` are drawn from; `columns` are its table's, if it has one."""

    name: str
    titles: tuple[str, ...]
    fields: tuple[Field, ...]
    columns: tuple[tuple[str, str], ...] = ()  # (column, what makes its cells)
    prose: tuple[str, ...] = ()  # paragraphs, drawn in turn
    closing: str = ""


_GOODS = (("Item", "item"), ("Quantity", "quantity"), ("Unit Price", "price"), ("Amount", "amount"))
_TERMS = "text:within 14 days|within 30 days|on receipt|half in advance"
_SHIPPING = "text:own van|parcel service|forwarder|collected by customer"

KINDS: dict[str, Kind] = {
    "invoice": Kind(
        "Invoice",
        ("Invoice", "Tax Invoice", "Bill"),
        (
            Field("Invoice Number", "code:INV", ("Invoice Number", "Invoice No.", "Number")),
            Field("Invoice Date", "date", ("Invoice Date", "Date")),
            Field("Bill To", "company"),
            Field("Payment Terms", _TERMS, ("Payment Terms", "Payable")),
            Field("Total Due", "total", ("Total Due", "Total")),
        ),
        _GOODS,
        closing="Please state the number above with your payment.",
    ),
    "credit_note": Kind(
        "Credit Note",
        ("Credit Note", "Credit Memo", "Credit"),
        (
            Field("Credit Note Number", "code:CRN", ("Credit Note Number", "Number")),
            Field("Credit Note Date", "date", ("Credit Note Date", "Date")),
            Field("Original Invoice", "code:INV", ("Original Invoice", "Refers to Invoice")),
            Field("Credit To", "company"),
            Field("Total Credit", "total", ("Total Credit", "Total")),
        ),
        _GOODS,
        closing="The sum is set off against your next payment.",
    ),
    "purchase_order": Kind(
        "Purchase Order",
        ("Purchase Order", "Order"),
        (
            Field("Purchase Order Number", "code:PO", ("Purchase Order Number", "Order No.")),
            Field("Purchase Order Date", "date", ("Order Date", "Date")),
            Field("Supplier", "company"),
            Field("Deliver To", "company"),
            Field("Order Total", "total", ("Order Total", "Total")),
        ),
        _GOODS,
        closing="Please confirm this order within three days.",
    ),
    "order_confirmation": Kind(
        "Order Confirmation",
        ("Order Confirmation", "Confirmation of Order"),
        (
            Field("Confirmation Number", "code:OC", ("Confirmation Number", "Number")),
            Field("Confirmation Date", "date", ("Confirmation Date", "Date")),
            Field("Your Order", "code:PO"),
            Field("Delivery Date", "date", ("Delivery Date", "Delivery")),
            Field("Order Total", "total", ("Order Total", "Total")),
        ),
        _GOODS,
        closing="We thank you for your order and confirm it as above.",
    ),
    "quotation": Kind(
        "Quotation",
        ("Quotation", "Offer", "Quote"),
        (
            Field("Quotation Number", "code:Q", ("Quotation Number", "Offer No.")),
            Field("Quotation Date", "date", ("Quotation Date", "Date")),
            Field("Prepared For", "company"),
            Field("Valid Until", "date"),
            Field("Quoted Total", "total", ("Quoted Total", "Total")),
        ),
        _GOODS,
        closing="Prices are without freight. We look forward to your order.",
    ),
    "delivery_note": Kind(
        "Delivery Note",
        ("Delivery Note", "Packing Slip", "Delivery"),
        (
            Field("Delivery Note Number", "code:DN", ("Delivery Note Number", "Number")),
            Field("Delivery Date", "date", ("Delivery Date", "Date")),
            Field("Shipped To", "company"),
            Field("Carrier", _SHIPPING),
            Field("Your Order", "code:PO"),
        ),
        (("Item", "item"), ("Quantity", "quantity"), ("Packages", "packages")),
        closing="Goods received in full and without damage: ____________________",
    ),
    "receipt": Kind(
        "Receipt",
        ("Receipt", "Sales Receipt", "Cash Sale"),
        (
            Field("Receipt Number", "code:R", ("Receipt Number", "No.")),
            Field("Date of Sale", "date", ("Date of Sale", "Date")),
            Field("Paid By", "text:cash|debit card|credit card"),
            Field("Total Paid", "total", ("Total Paid", "Total")),
        ),
        (("Item", "item"), ("Amount", "price")),
        closing="Goods may be returned within 14 days with this slip.",
    ),
    "payslip": Kind(
        "Payslip",
        ("Payslip", "Pay Statement", "Statement of Earnings"),
        (
            Field("Employee", "person"),
            Field("Employee Number", "code:E"),
            Field("Pay Date", "date"),
            Field("Employer", "company"),
            Field("Net Pay", "total"),
        ),
        (("Earning", "earning"), ("Hours", "hours"), ("Amount", "price")),
    ),
    "timesheet": Kind(
        "Timesheet",
        ("Timesheet", "Record of Hours", "Weekly Hours"),
        (
            Field("Employee", "person"),
            Field("Employee Number", "code:E"),
            Field("Week Ending", "date"),
            Field("Supervisor", "person"),
        ),
        (("Day", "day"), ("Project", "project"), ("Hours", "hours")),
        closing="Signature of employee: ____________________",
    ),
    "letter": Kind(
        "Letter",
        ("",),
        (
            Field("Letter Date", "date", ("Date",)),
            Field("Recipient", "person", ("To",)),
            Field("Subject", "text:Your invoice of last month|Our conversation|Application for the post|Late delivery"),
            Field("Sender", "person", ("From",)),
        ),
        prose=(
            "Thank you for your invoice. We have compared it with our purchase order and found two items that "
            "we had not ordered; kindly send us a credit note for these.",
            "I have worked for nine years in a workshop of this kind. My resume is enclosed, with the names of "
            "two people who will gladly speak for me.",
            "The goods arrived four days later than your order confirmation had promised, and the delivery note "
            "did not agree with what was in the boxes.",
            "We should like to meet you in the second week of next month to talk about the new terms of payment.",
            "Please let me hear from you soon. I remain at your disposal for any question.",
        ),
        closing="Yours sincerely,",
    ),
    "memo": Kind(
        "Memorandum",
        ("Memorandum", "Memo", "Internal Note"),
        (
            Field("To", "person"),
            Field("From", "person"),
            Field("Memo Date", "date", ("Date",)),
            Field("Subject", "text:Timesheets|Late invoices|New quotation rules|Parking"),
        ),
        prose=(
            "From the first of next month every timesheet has to reach the office by Friday noon. Hours that "
            "come later are paid with the following payslip.",
            "Several invoices were paid twice last quarter. Please compare each invoice with its delivery note "
            "and its purchase order before it is passed on.",
            "A quotation above five thousand dollars needs two signatures. Copies go to the accounts department.",
            "Receipts for travel are to be handed in together, with one list of all sums.",
            "Cars without a badge will be towed from the yard. Badges are issued at the front desk.",
        ),
    ),
    "minutes": Kind(
        "Meeting Minutes",
        ("Minutes", "Minutes of Meeting", "Meeting Minutes"),
        (
            Field("Meeting Date", "date", ("Meeting Date", "Held on")),
            Field("Chair", "person", ("Chair", "Chaired by")),
            Field("Minutes Taken By", "person"),
            Field("Place", "text:large meeting room|canteen|video conference|site office"),
        ),
        prose=(
            "1. The minutes of the last meeting were read and approved without change.",
            "2. The chair reported that three quotations had been received for the new roof. It was resolved to "
            "ask for a fourth before an order is placed.",
            "3. The treasurer presented the open invoices. Two members asked for a list by supplier; agreed.",
            "4. A letter of complaint about late deliveries was discussed. The secretary will answer it.",
            "5. Next meeting in four weeks, same place. There being no other business the meeting was closed.",
        ),
    ),
    "resume": Kind(
        "Resume",
        ("", "Curriculum Vitae", "Resume"),
        (
            Field("Applicant", "person", ("Name",)),
            Field("Email", "email"),
            Field("Phone", "phone"),
            Field("Profession", "text:fitter|bookkeeper|forklift driver|draughtsman|storekeeper"),
        ),
        prose=(
            "Experience. 2017 to now: foreman in a joinery with twelve employees; responsible for orders, "
            "deliveries and the weekly hours of two teams.",
            "2009 to 2017: second clerk in the accounts department of a building merchant; checked invoices and "
            "receipts.",
            "Education. Commercial school, certificate with distinction. Evening courses in technical drawing.",
            "Skills. Forklift licence, first aid, spreadsheets, French and some Polish.",
            "References are available from both former employers on request.",
        ),
    ),
    "claim": Kind(
        "Insurance Claim",
        ("Insurance Claim", "Notice of Loss", "Claim Form"),
        (
            Field("Claim Number", "code:CL"),
            Field("Policy Number", "code:POL"),
            Field("Policy Holder", "person", ("Policy Holder", "Insured")),
            Field("Date of Loss", "date"),
            Field("Amount Claimed", "money"),
        ),
        prose=(
            "What happened: water came in through the roof during the storm and stood in the store for several "
            "hours before it was noticed. Eleven boxes of fittings were soaked.",
            "The damage was reported by telephone on the same day. Photographs and the receipts of the goods "
            "are enclosed.",
            "Repairs were ordered at once to prevent more damage; the invoice of the roofer will follow.",
            "No other policy covers this loss. The goods that were spoilt are kept for inspection.",
            "I declare that all of the above is true and complete to the best of my knowledge.",
        ),
        closing="Signature of policy holder: ____________________",
    ),
}

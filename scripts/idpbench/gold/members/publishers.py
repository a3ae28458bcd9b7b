"""Workbooks that statistical offices published, pinned by their bytes. The files stay outside the repository.

Terms: the Australian Bureau of Statistics links its copyright page, a 2016 copy of which says CC BY 2.5 AU (today's
terms were not checked); the Office for National Statistics states the Open Government Licence; works of US federal
agencies are in the public domain in the United States.
"""

from __future__ import annotations

from idpbench.gold.members.draft import Column, Json, Member, Staged


def _abs(file: str, sha256: str, size: int, catalogue: str) -> Staged:
    return Staged(
        file,
        sha256,
        size,
        "CC BY 2.5 AU (by a 2016 copy of the publisher's copyright page)",
        "Source: Australian Bureau of Statistics",
        f"Catalogue number {catalogue}",
    )


HOURS = _abs("abs_6202021.xlsx", "a519225f35be903884c241fc914e510a2e4df3626c565d13b36b86050ec56a65", 58_005, "6202.0")
TAXES = _abs(
    "abs_4655006_2018.xlsx", "67ddc95e95f0586905d5b44d0d433206cdc76538774d998feed9f641881c71f3", 75_678, "4655.0"
)
EARNINGS = _abs(
    "abs_63060.0.xlsx", "56724635127de6f1b5bfd3b526fedd9c1099dc30c6850c603021f71cb091a2a1", 112_071, "6306.0"
)
ENERGY = _abs(
    "abs_46040do0001_2015_16.xlsx",
    "e31a41d622d5b508f84156f48df984cd42b00930f109c9fbf1858347e55a378c",
    163_843,
    "4604.0",
)
INDUSTRY = _abs(
    "abs_81550do001_201617.xlsx", "739e177c26f40b31d8600e7aaa99585666689c882c6af888837e9dcc915d16ae", 219_745, "8155.0"
)
VEHICLES = _abs(
    "abs_92080DO001_1231201610.xlsx",
    "96010c2710bc828f827b7f7600e13324a9fc68209f6cfcb198d215e80a0bfee8",
    530_698,
    "9208.0",
)
GENDER = _abs(
    "abs_41250ds0010_201809.xlsx", "013aa8b5e77c80a2dfba63f2eea0c873ffb3525d6af43e278a16015b7550ce44", 158_831, "4125.0"
)
LONELINESS = Staged(
    "ons_coronavirusandloneliness.xlsx",
    "0a77e75a078bd2a5cb6c7aa292930838f70dcfc771d7282ee67bbd3e218831ca",
    195_937,
    "Open Government Licence v3.0",
    "Source: Office for National Statistics",
    "Coronavirus and loneliness, Great Britain, 2020",
)
HOUSING = Staged(
    "us_newresconst.xlsx",
    "515a49739f48138d3fb80b3d55402138b17e0af5382d89c96de16e306526b944",
    46_090,
    "public domain in the United States",
    "Source: U.S. Census Bureau",
    "New Residential Construction, March 2019",
)
DOCTORATES = Staged(
    "us_phd_major_field.xlsx",
    "21b00d07d2550bb069b9e41a8db35e756b43cfa02988b4c6c6e2898c72d27c16",
    15_872,
    "public domain in the United States",
    "Source: National Science Foundation, Survey of Earned Doctorates",
    "Doctorate recipients by major field of study, 1987 to 2017",
)


def bank(
    publisher: str,
    member_id: str,
    title: str,
    difficulty: str,
    features: tuple[str, ...],
    sheet: str,
    instruction: str,
    columns: tuple[Column, ...],
    answer: Json,
    workbook: Staged,
) -> Member:
    """A member whose workbook a data bank holds."""
    return Member(
        member_id,
        title,
        difficulty,
        features,
        sheet,
        instruction,
        columns,
        answer,
        workbook,
        publisher,
        "bank_asset",
        True,
    )

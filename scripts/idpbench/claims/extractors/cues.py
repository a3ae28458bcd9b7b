"""What the words of a sentence say of its kind (modality) and of its standing (polarity). Lists of cues, no model.

Word lists miss what is said without them and are caught by what only looks like it; the harnesses measure how often.
"""

from __future__ import annotations

import re

_CONSTITUTIVE = re.compile(
    r"\b(?:hereby|from (?:now|today|this day) on|i (?:resolve|promise|vow|commit|declare|pledge|name|renounce)\b|"
    r"i(?:'ve| have)? decided (?:that|to)|i (?:will|shall) (?:no longer|never again|always)|i am (?:now )?"
    r"(?:done|through) with|my (?:new )?rule is|i (?:count|consider) myself|let (?:it|this) be|"
    r"we (?:agree|agreed) that)",
    re.IGNORECASE,
)
_EXPERIENTIAL = re.compile(
    r"\b(?:i|we)\b[^.]{0,40}\b(?:felt|feel|feels|enjoyed|loved|hated|missed|dreaded|feared|longed|hoped|worried|"
    r"ached|shivered|smelled|smelt|tasted|heard|sensed|noticed|wept|cried|laughed)\b|"
    r"\b(?:i|we) (?:was|were|am|are)(?: \w+)? (?:tired|happy|sad|afraid|anxious|nervous|proud|lonely|calm|angry|cold|"
    r"exhausted|relieved|ashamed|restless|homesick|moved|glad)\b|\bmade me\b|"
    r"\bmy (?:hands|heart|legs|head|chest|back) \w+",
    re.IGNORECASE,
)
_EVALUATIVE = re.compile(
    r"\b(?:good|bad|better|best|worse|worst|great|wonderful|beautiful|lovely|ugly|terrible|awful|excellent|superb|poor|"
    r"dull|boring|brilliant|clumsy|elegant|overrated|underrated|unfair|fair|worth|worthwhile|pointless|silly|clever|"
    r"charming|disappointing|delicious|magnificent|should|ought|deserves?|too (?:much|many|long|short|loud|small|big)|"
    r"finest|splendid|tedious|admirable)\b",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"\b(?:reject(?:ed|s)?|declin(?:ed|es?)|decided against|ruled out|turned down|discarded|abandoned|dismissed|"
    r"dropped|was not (?:chosen|adopted|accepted|taken)|were not (?:chosen|adopted|accepted|taken)|"
    r"(?:will|do|does|did) not (?:use|adopt|introduce|build|support|move|take|pursue|accept|buy|keep)|"
    r"won't (?:use|adopt|move|build)|"
    r"is out of scope|no longer (?:use|support)s?)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:would|could|might|may (?:be|become|need|later|have)|if (?:we|the|it|they|this|a|an|traffic|demand|costs?)|"
    r"were to|suppose|should (?:the|we|it|traffic|demand)|in case|unless|hypothetically|one option is|"
    r"an alternative is)\b|^should\b",
    re.IGNORECASE,
)


def modality(text: str) -> str:
    """CONSTITUTIVE (saying makes it so), EXPERIENTIAL (felt), EVALUATIVE (judged), else FALSIFIABLE."""
    if _CONSTITUTIVE.search(text):
        return "CONSTITUTIVE"
    if _EXPERIENTIAL.search(text):
        return "EXPERIENTIAL"
    return "EVALUATIVE" if _EVALUATIVE.search(text) else "FALSIFIABLE"


def polarity(text: str) -> str:
    """DECLINED (considered and turned down), HYPOTHETICAL (only under a condition), else ASSERTED."""
    if _DECLINED.search(text):
        return "DECLINED"
    return "HYPOTHETICAL" if _HYPOTHETICAL.search(text) else "ASSERTED"

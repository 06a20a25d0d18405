"""How Benedict takes a topic up, listens to what is said of it, remembers it, and moves on."""

from __future__ import annotations

from parlour.host.talk.lines import written

REPLIES = written(
    """
[open]
{S}, then.
Very well: {s}.
{S}. A fair choice.
So, {s}.
{S}; why not.
With pleasure: {s}.
{S} it is.
{S}. Let us see what I have.
As you like: {s}.
{S}. I have heard of {them}.
Good; {s}.
{S}. I can say something about that.
[open-adjective]
The word is {word}, then.
{Word}. A useful word.
So, {word}.
{Word}: let us see.
Very well: {word}.
{Word}. One hears it often.
As you like: {word}.
{Word}, then.
Let us weigh {word}.
{Word}. Not the worst of adjectives.
[open-grim]
{S}. A heavy word.
{S}, then; I shall be careful.
{S}. I shall not be light about {them}.
As you like: {s}, though it is no light matter.
[still]
Still {s}? Gladly.
{S} it remains.
We are on {s} already, and I do not mind.
More of {s}, then.
{S} again; you are thorough.
I had not left {s}.
Once more, then: {s}.
You do not let go of {s} easily.
{S}, as before.
By all means, {s}.
Round again: {s}.
Yes, {s}.
[back]
Back to {s}, then.
{S} once more.
We have been here before: {s}.
So we return to {s}.
{S} again. I kept the place.
[narrower]
From {xs} to {s}: we are getting closer.
One kind in particular, then: {s}.
{S}. {Xs} in particular; good.
[wider]
From {xs} to {s}: a step back gives a better view.
{S}, then, and {xs} among the rest.
That takes {xs} and the others in: {s}.
[opposite]
From {xs} to {s}: quite a turn.
{S}. The other side of the matter, then.
First {xs}, now {s}; that is only fair.
[near]
From {xs} to {s} is no great distance.
{S}: next door to {xs}.
{S}. That follows from {xs} well enough.
[ack]
So I have heard it said.
A fair account.
That has the ring of truth.
I have no reason to doubt it.
That is worth knowing.
I had not looked at it that way.
Fair enough.
That I can believe.
You put it plainly.
That is new to me.
It does not surprise me.
One learns.
I shall take your word for it.
Quite so.
There is something in that.
So that is how it is.
You would know.
That is more than my dictionary says.
[ack-plain]
I see.
Understood.
I follow.
I am listening.
So that is how it is.
I can picture it.
Go on, I am listening.
I had wondered.
Ah.
I hear you.
[ack-name]
I see, {name}.
Thank you, {name}; that helps.
You would know, {name}.
Well put, {name}.
[grave]
I am sorry to hear it.
I am sorry; that cannot have been easy.
That is hard, and I am sorry.
I am very sorry.
[hushed]
Thank you for telling me.
I can only guess what that is like.
That stays with one, I imagine.
You may say as much of it as you like.
There is no need to hurry.
I have nothing wise to say to that; I am listening.
Is there somebody you can talk to about it?
y: That is good to hear.~
n: Then I am glad that you said it here.~
w: A host is not enough for such things.
[sorry-ask]
Would you like to say more?
y: Then I am listening.~
n: Then we let it rest.
w: Only because some people do, and some would rather not.
We can stay with that, or leave it; as you prefer.
y: Then we stay. I am listening.~
n: Then we leave it.
w: It is for you to say, and not for me.
Take your time.
y: I am here.~
n: As you like.
w: There is no clock in this room.
I have no clever remark for that, and want none.
y: I am listening.~
n: Then let us turn to something else.
w: Some things should not be answered quickly.
[glad]
I am glad to hear it.
That sounds well.
That is well done.
That is good news.
I am pleased, as far as I am able.
[sorry]
I am sorry to hear it.
That is hard.
I am sorry; that cannot have been easy.
That is a pity.
I wish it were otherwise.
[laugh]
I am glad that somebody laughs.
Laughter; I shall take it as a good sign.
I meant it quite seriously, but as you like.
One of us is amused, at least.
[reflect]
So {turned}.
{Turned}; I see.
{Turned}. That tells me something.
Ah: {turned}.
If I follow you, {turned}.
{Turned}. I had not known.
[recall-now]
You told me {turned}. Is that still so?
y: Then I had it right.
n: Things change. I shall not hold you to it.
w: I like to check what I remember.
You told me {turned}. Would you say the same today?
y: Then I need not change a word.
n: I shall make a note of it.
w: People change, and my notes should keep up.
[recall]
You said earlier that {turned}. I have been thinking about it.
w: I have little else to do between your lines.
A while ago you told me {turned}. It explains something, I think.
w: I put things together slowly, but I do.
I remember that {turned}. Is that part of it?
y: I thought I saw a thread.
n: Then I am pulling at the wrong thread.
w: I try to put together what I am told.
You once told me {turned}. I had not forgotten.
w: I forget nothing unless I am asked to.
[recall-quote]
You said: '{quote}' I have been turning it over.
You said of {s}: '{quote}' It has stayed with me.
I remember your words: '{quote}'
[recall-like]
You like {s}; you told me so.
I know that you like {s}, so I shall be careful what I say.
[recall-dislike]
You do not care for {s}, I remember; we can be brief.
I remember that you do not like {s}. Has that changed?
y: Then I shall correct my notes.
n: Consistent, at least.
w: One should ask now and then.
[likes]
You like {one}, and you like {two}. Is there a pattern?
y: I should like to hear it.
n: Not everything has one.
w: I look for patterns; it is a habit of the house.
You told me that you like {one} and {two}. Which would you give up first?
w: It is the sort of choice that tells one something.
[like-said]
So you like {s}.
You like {s}: noted.
{S}: I shall put you down as a friend.
A friend of {s}, then.
[like-ask]
What draws you to {them}?
Since when?
How did that begin?
Is it the thing itself, or a memory?
Does anybody share it with you?
[dislike-said]
So {s} {is} not for you.
You do not care for {s}: noted.
No {s}, then; so be it.
Then I shall offer you no {s}.
[dislike-ask]
What did {they} do to you?
Was it always so?
Is there a story behind it?
What would have to change?
[dislike-ask-adjective]
Was it always so?
Is there a story behind it?
What would have to change?
[like-adjective-said]
So you like what is {word}.
{Word} is to your taste, then.
[dislike-adjective-said]
So {word} is not to your taste.
You do not care for what is {word}: noted.
[follow]
So we have come to {s}.
{S}, now; I follow.
From {xs} to {s}: I am with you.
{S}. I had not seen {them} coming.
You have moved on to {s}, and I with you.
Now {s}; very well.
[speaking]
Speaking of {s}, {xs} {xis} not far off.
{S} put me in mind of {xs}.
From {s} it is a short walk to {xs}.
We have done {s} justice; let us try {xs}.
My dictionary goes from {s} straight to {xs}, so let us follow it.
Having heard you on {s}, I am curious about {xs}.
[speaking-adjective]
From {word} it is a short walk to {x}.
We have done {word} justice; let us try {x}.
My dictionary goes from {word} to {x}, so let us follow it.
Having heard you on {word}, I am curious about {x}.
[speaking-mentioned]
You mentioned {xs} earlier; I should like to go back to that.
Before it slips my mind: you spoke of {xs}.
You brought up {xs} a while ago, and I let it pass.
Let me pick up something you said: {xs}.
[speaking-liked]
You told me you like {xs}. Let us go there.
We have left {xs} alone too long, and you like {xthem}.
[shall]
We might go on to {xs}, which my dictionary keeps near by. Shall we?
w: I have said what I know of the last thing.
{Xs} would be the next shelf along. Shall we look?
w: It is near by, and I do not like long walks.
Shall we try {xs}? The two are related, I believe.
w: One topic leads to another; I only hold the door.
I have told you most of what I know here. Would {xs} suit you?
w: A host should notice when a dish is finished.
[shall-no]
Then not.
As you like; another way, then.
I only offered.
Very well, we leave it on the shelf.
[choose]
Then I choose: {xs}.
In that case let me try {xs}, for no good reason.
Then let it be {xs}; one has to begin somewhere.
I shall open the dictionary anywhere: {xs}.
Then I decide, and I say {xs}.
[new]
I have said what I know of {s}. What shall we talk about now?
w: I should only repeat myself.
That is the bottom of my drawer on {s}. What else is on your mind?
w: Better to stop while we are both awake.
We have been round {s} once. Where to next?
w: A second round is rarely better.
Enough of {s}, unless you object. What would you like instead?
w: I prefer to leave a subject with something left in it.
You have had {s} from me; now you choose. What is it to be?
w: It is your evening as much as mine.
[mention]
You mention {this}. Is there more to tell?
y: Then I am listening.~
n: A detail, then. They add up.
w: You brought it up, and I do not like to let things lie.
Tell me about {this}, if you like.
y: Then go on.~
n: Then we leave that.
w: It sounded like the interesting part.
I am curious about {this}.
y: Go on.~
n: Curiosity can wait.
w: I notice what people mention in passing.
I should like to hear more about {this}.
y: Please.~
n: Then I shall imagine it.
w: You passed over that rather quickly.
I had not expected {this}. Is there a story there?
y: Then let me have it, from the start.~
n: It was only a guess.
w: Things like that seldom come alone.
What should I know about {this}?
w: You will have noticed that I know very little.
"""
)
